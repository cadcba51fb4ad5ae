internal import CThreads
internal import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A descriptor that wakes a loop: any thread can signal it, and the loop's thread waits for it.
///
/// On Linux it is a kernel counter (eventfd(2)): adding to it needs no memory, so that no signal is ever lost. A socket
/// would refuse a signal when the system is short of buffers, and the loop would sleep although there is work.
struct WakeupDescriptor: ~Copyable {
    private let sender: FileDescriptor
    private let receiver: FileDescriptor

    /// The number of the end to wait for. It stays open as long as this value lives.
    var number: CInt { receiver.rawValue }

    init() throws(SystemError) {
        #if canImport(Darwin)
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, SOCK_DGRAM, 0, &ends) == 0 else { throw SystemError(call: "socketpair", code: errno) }
        for end in ends {
            // Neither call can fail for a descriptor that has just been opened.
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        sender = FileDescriptor(rawValue: ends[0])
        receiver = FileDescriptor(rawValue: ends[1])
        #else
        let counter = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard counter >= 0 else { throw SystemError(call: "eventfd", code: errno) }
        sender = FileDescriptor(rawValue: counter)
        receiver = sender
        #endif
    }

    deinit {
        try? receiver.close()
        if sender != receiver { try? sender.close() }
    }

    /// Makes the receiver readable.
    ///
    /// - Returns: Whether the system accepted the signal. It refuses one only if no more pending signals fit, and then
    ///   the thread wakes anyway.
    @discardableResult func signal() -> Bool {
        withUnsafeBytes(of: 1 as UInt64) { (try? sender.write($0)) != nil }
    }

    /// Consumes all signals sent so far.
    func drain() {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { buffer in
            while let count = try? receiver.read(into: buffer), count > 0 {}
        }
    }
}
