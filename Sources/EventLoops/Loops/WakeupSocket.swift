#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A pair of sockets that wakes a loop: signalled at one end from any thread, waited for at the other by the loop's own.
/// (`eventfd` does not come over from C.)
struct WakeupSocket: ~Copyable {
    private let sender: CInt

    /// The end to wait for.
    let receiver: CInt

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
        sender = ends[0]
        receiver = ends[1]
    }

    deinit {
        close(sender)
        close(receiver)
    }

    func signal() {
        // It is full only when there are signals that have not been taken in; then the thread wakes anyway. Both ends live as
        // long as the pair, so that there can be no SIGPIPE.
        var byte: UInt8 = 1
        _ = write(sender, &byte, 1)
    }

    /// Takes in every signal up to now.
    func drain() {
        var bytes: (UInt64, UInt64) = (0, 0)
        while read(receiver, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
    }
}
