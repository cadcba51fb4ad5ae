internal import Glibc
internal import SystemPackage

extension StandardStreams {
    /// The number of bytes that a pipe accepts without blocking once poll(2) reports it as writable (PIPE_BUF on
    /// Linux).
    private static let chunk = 4_096

    /// The time to wait until the output is writable before checking whether the process has to end, in milliseconds.
    private static let pollTime: Int32 = 100

    /// Writes all of some bytes, however long their reader takes; once the process has to end, for one second more.
    ///
    /// They are written in small pieces, each when poll(2) reports that there is room: a thread that is blocked in
    /// write(2) would not notice that the process has to end.
    ///
    /// - Returns: The reason why not all bytes could be written; `nil` if they were.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> OutputError? {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard waitForRoom(descriptor) else { return .notRead }
            do {
                // Not repeated after a signal: the loop first checks whether the process has to end.
                let count = try rest.prefix(chunk).withUnsafeBytes { bytes in
                    try FileDescriptor(rawValue: descriptor).write(bytes, retryOnInterrupt: false)
                }
                rest = rest.dropFirst(count)
            } catch {
                // Any other kind of error does not mean that the reader is gone.
                guard let code = error as? Errno else { return OutputError(code: .ioError) }
                guard code == .interrupted || code == .resourceTemporarilyUnavailable else {
                    return OutputError(code: code, isTerminal: isTerminal(descriptor))
                }
            }
        }
        return nil
    }

    /// Indicates whether the descriptor is a terminal, including one that has hung up: there isatty(3) fails with EIO,
    /// and on anything else with ENOTTY.
    private static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 || errno == EIO }

    /// Waits until the descriptor is writable, or has an error that write(2) will return.
    ///
    /// - Returns: `false` if the process has to end, and has waited long enough.
    private static func waitForRoom(_ descriptor: Int32) -> Bool {
        while true {
            var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            let count = poll(&wanted, 1, pollTime)
            if count > 0 || count < 0 && errno != EINTR { return true }
            if let end = Signals.requestedAt, .now - end > Signals.readerTimeout { return false }
        }
    }

    /// Writes as many of the bytes as possible without waiting.
    static func writeAtOnce(_ bytes: [UInt8], to descriptor: Int32) {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&wanted, 1, 0) > 0 else { return }
        _ = try? bytes.prefix(chunk).withUnsafeBytes { try FileDescriptor(rawValue: descriptor).write($0) }
    }
}
