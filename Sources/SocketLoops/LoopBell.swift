#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A pair of sockets that wakes a loop: rung at one end from any thread, heard at the other by the loop's own.
/// (`eventfd` does not come over from C.)
struct LoopBell: ~Copyable {
    private let ringing: CInt

    /// The end to wait for.
    let heard: CInt

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
        ringing = ends[0]
        heard = ends[1]
    }

    deinit {
        close(ringing)
        close(heard)
    }

    func ring() {
        // It is full only when there are rings that have not been heard; then the thread wakes anyway. Both ends live as
        // long as the bell, so that there can be no SIGPIPE.
        var byte: UInt8 = 1
        _ = write(ringing, &byte, 1)
    }

    /// Takes in every ring up to now.
    func hear() {
        var bytes: (UInt64, UInt64) = (0, 0)
        while read(heard, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
    }
}
