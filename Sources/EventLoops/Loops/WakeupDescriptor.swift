internal import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A pair of sockets that wakes a loop: signalled at one end from any thread, waited for at the other by the loop's own.
/// (`eventfd` does not come over from C.)
struct WakeupSocket: ~Copyable {
    private let sender: FileDescriptor

    /// The end to wait for.
    let receiver: FileDescriptor

    init() throws(SystemError) {
        #if canImport(Darwin)
        let type = SOCK_DGRAM
        #else
        let type = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        #endif
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError(call: "socketpair", code: errno) }
        for end in ends {
            // Neither can fail for a descriptor that has just been opened.
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        sender = FileDescriptor(rawValue: ends[0])
        receiver = FileDescriptor(rawValue: ends[1])
    }

    deinit {
        try? sender.close()
        try? receiver.close()
    }

    func signal() {
        // It is full only when there are signals that have not been taken in; then the thread wakes anyway. Both ends live as
        // long as the pair, so that there can be no SIGPIPE.
        withUnsafeBytes(of: 1 as UInt8) { _ = try? sender.write($0) }
    }

    /// Takes in every signal up to now.
    func drain() {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { buffer in
            while let count = try? receiver.read(into: buffer), count > 0 {}
        }
    }
}
