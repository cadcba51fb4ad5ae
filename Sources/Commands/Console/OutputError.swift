internal import SystemPackage

/// The reason why something could not be written to standard output.
struct OutputError: Error, Hashable, CustomStringConvertible {
    /// The system's error number.
    let code: Errno

    /// Indicates whether it was to go to a terminal.
    var isTerminal = false

    /// The process was to end, and nobody read what it had to say before.
    static let notRead = OutputError(code: .timedOut)

    /// Indicates whether the reader at the other end of the pipe, or the terminal, has gone away.
    ///
    /// A terminal that has hung up fails with EIO; for a file the same number is a broken disk or network.
    var isClosedByReader: Bool { code == .brokenPipe || isTerminal && code == .ioError }

    var description: String {
        let reason = self == .notRead ? "nobody reads them" : "\(code)"
        return "the results could not be written: \(reason). Look at where standard output goes."
    }
}
