internal import CThreads
internal import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A descriptor that wakes a loop: signalled from any thread, waited for by the loop's own.
///
/// A counter of the kernel (eventfd(2)): to add to it takes no memory, so that no signal is ever lost. A socket refuses one
/// where the system is short of buffers, and the loop would sleep with work before it.
struct WakeupDescriptor: ~Copyable {
    private let sender: FileDescriptor
    private let receiver: FileDescriptor

    /// The number of the end to wait for. It lives as long as this.
    var number: CInt { receiver.rawValue }

    init() throws(SystemError) {
        #if canImport(Darwin)
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, SOCK_DGRAM, 0, &ends) == 0 else { throw SystemError(call: "socketpair", code: errno) }
        for end in ends {
            // Neither can fail for a descriptor that has just been opened.
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
    /// - Returns: Whether the system took the signal. It refuses one only where as many wait as fit, and the thread wakes
    ///   anyway.
    @discardableResult func signal() -> Bool {
        withUnsafeBytes(of: 1 as UInt64) { (try? sender.write($0)) != nil }
    }

    /// Takes in every signal up to now.
    func drain() {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { buffer in
            while let count = try? receiver.read(into: buffer), count > 0 {}
        }
    }
}
