internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

extension StandardStreams {
    /// The most bytes that a pipe takes at once where poll(2) says that it takes any (PIPE_BUF of Linux).
    private static let chunk = 4_096

    /// The time to wait for room before checking whether the process is to end, in milliseconds.
    private static let pollTime: Int32 = 100

    /// Writes all of some bytes, however long their reader takes; once the process is to end, for a second more.
    ///
    /// In small pieces, each when there is room for it: a thread that waits in write(2) itself could not be told.
    ///
    /// - Returns: Why not all could be written; `nil` when it was.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> OutputError? {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard waitForRoom(descriptor) else { return .notRead }
            do {
                // A signal is looked for before the next try.
                let count = try rest.prefix(chunk).withUnsafeBytes { bytes in
                    try FileDescriptor(rawValue: descriptor).write(bytes, retryOnInterrupt: false)
                }
                rest = rest.dropFirst(count)
            } catch {
                // Any other error is no reader that has gone.
                guard let code = error as? Errno else { return OutputError(code: .ioError) }
                guard code == .interrupted || code == .resourceTemporarilyUnavailable else {
                    return OutputError(code: code, isTerminal: isTerminal(descriptor))
                }
            }
        }
        return nil
    }

    /// Indicates whether the descriptor is a terminal, also one that has hung up: that answers every question with EIO, and
    /// what is no terminal with ENOTTY.
    private static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 || errno == EIO }

    /// Waits until there is room, or an error that write(2) tells, and returns whether there is either.
    private static func waitForRoom(_ descriptor: Int32) -> Bool {
        while true {
            var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            let count = poll(&wanted, 1, pollTime)
            if count > 0 || count < 0 && errno != EINTR { return true }
            if let end = Signals.requestedAt, .now - end > Signals.readerPatience { return false }
        }
    }

    /// Writes what there is room for now.
    static func writeAtOnce(_ bytes: [UInt8], to descriptor: Int32) {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&wanted, 1, 0) > 0 else { return }
        _ = try? bytes.prefix(chunk).withUnsafeBytes { try FileDescriptor(rawValue: descriptor).write($0) }
    }
}
