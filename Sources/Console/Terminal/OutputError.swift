package import SystemPackage

/// The reason why something could not be written to standard output.
package struct OutputError: Error, Hashable, CustomStringConvertible {
    /// The system's error number.
    package let code: Errno

    /// Indicates whether standard output is a terminal.
    var isTerminal = false

    /// The process has to end, and the rest of its output was not read in time.
    package static let notRead = OutputError(code: .timedOut)

    /// Indicates whether the reader at the other end of the pipe, or the terminal, has gone away.
    ///
    /// A write to a terminal that has hung up fails with EIO; for a file, EIO means a failure of the disk or the
    /// network.
    var isClosedByReader: Bool { code == .brokenPipe || isTerminal && code == .ioError }

    package var description: String {
        let reason = self == .notRead ? "nobody reads them" : "\(code)"
        return "the results could not be written: \(reason). Look at where standard output goes."
    }
}
