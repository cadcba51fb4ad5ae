package import NIOCore
internal import NIOPosix
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The threads on which connections to gateways run: made once, kept as long as the process.
///
/// NIO ends the process when it gets no descriptor for an event loop. So whoever is short of them looks first, and has an
/// error: nothing that an embedding program does may be ended by us.
public enum GatewayLoops {
    /// One takes thousands of packets a second; a second one keeps a handshake from delaying the others.
    private static let count = min(System.coreCount, 2)

    /// The number of descriptors that a loop needs: epoll, an event and a timer.
    private static let descriptorsOfALoop = 3

    /// The number of descriptors that must be free besides, for those that other threads take at the same moment.
    private static let margin = 4

    /// The number of descriptors that sockets and locks leave to the rest of the process, some of which ends it when it gets none.
    private static let spare = 8

    /// Indicates whether there is room for one more descriptor that may be done without.
    package static var hasRoom: Bool { areFree(spare) }

    static let shortage = GatewayConnectionError(.noSocket, "no socket: too many files are open")

    private static let made = Mutex<MultiThreadedEventLoopGroup?>(nil)

    /// Makes them. A program that may run short of descriptors calls this before anything else.
    ///
    /// - Throws: ``GatewayConnectionError`` `noSocket` when there are too few descriptors. It may be tried again.
    public static func prepare() throws(GatewayConnectionError) {
        _ = try group()
    }

    /// The threads.
    package static func group() throws(GatewayConnectionError) -> any EventLoopGroup {
        let group: MultiThreadedEventLoopGroup? = made.withLock { made in
            if let made { return made }
            guard areFree(count * descriptorsOfALoop + margin) else { return nil }
            made = MultiThreadedEventLoopGroup(numberOfThreads: count)
            return made
        }
        guard let group else {
            throw shortage
        }
        return group
    }

    /// Returns whether so many descriptors can be had.
    ///
    /// They are counted and not taken: another thread may need one at this very moment, and Dispatch ends the process when it
    /// gets none for its first timer.
    package static func areFree(_ count: Int) -> Bool {
        var limit = rlimit()
        #if canImport(Glibc)
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
        #else
        guard getrlimit(RLIMIT_NOFILE, &limit) == 0 else { return false }
        #endif
        var free = 0
        // From the end: those that are taken are the lowest.
        var descriptor = Int32(clamping: limit.rlim_cur)
        while free < count, descriptor > 0 {
            descriptor -= 1
            if fcntl(descriptor, F_GETFD) < 0 { free += 1 }
        }
        return free >= count
    }
}
