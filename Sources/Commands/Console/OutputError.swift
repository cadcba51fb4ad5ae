#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The reason why something could not be written to standard output.
struct OutputError: Error, Hashable, CustomStringConvertible {
    /// The system's error number.
    let number: Int32

    /// The process was to end, and nobody read what it had to say before.
    static let notRead = OutputError(number: ETIMEDOUT)

    /// Indicates whether the reader at the other end of the pipe, or the terminal, has gone away.
    var isClosedByReader: Bool { number == EPIPE || number == EIO }

    var description: String {
        let reason = self == .notRead ? "nobody reads them" : String(cString: strerror(number))
        return "the results could not be written: \(reason). Look at where standard output goes."
    }
}
