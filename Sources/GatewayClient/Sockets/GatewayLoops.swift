internal import Glibc
package import NIOCore
internal import NIOPosix
internal import Synchronization

/// The threads on which connections to gateways run: those of the embedding program where it hands them in, else ones that
/// are created once, and kept as long as the process.
///
/// NIO ends the process when it gets no file descriptor for an event loop. So the free descriptors are counted first,
/// and a shortage is reported as an error: this library must not end the program that embeds it.
package enum GatewayLoops {
    /// One thread handles thousands of packets a second; a second one keeps a handshake from delaying other
    /// connections.
    private static let count = min(System.coreCount, 2)

    /// The number of descriptors that an event loop needs: epoll, an event and a timer.
    private static let descriptorsOfALoop = 3

    /// The number of descriptors that must be free besides, for other threads that take some at the same moment.
    private static let margin = 4

    /// The number of descriptors that sockets and locks leave to the rest of the process, parts of which end the
    /// process when they get none.
    private static let spare = 8

    /// Indicates whether there is room for one more descriptor that is not essential.
    package static var hasRoom: Bool { areFree(spare) }

    static let shortage = GatewayConnectionError(.noSocket, "no socket: too many files are open")

    private static let made = Mutex<(any EventLoopGroup)?>(nil)

    /// Creates the threads, or takes those that the program has. One that may run short of file descriptors, or that has
    /// an event-loop group, calls this before anything else.
    ///
    /// - Parameter group: The event-loop group to use from now on, by NIO's own sockets, which the program shuts down only
    ///   after everything that uses it; `nil` to create one, unless there is one.
    /// - Throws: ``GatewayConnectionError`` `noSocket` when there are too few descriptors. It may be tried again.
    package static func prepare(on group: (any EventLoopGroup)? = nil) throws(GatewayConnectionError) {
        if let group { made.withLock { $0 = group } } else { _ = try Self.group() }
    }

    /// Returns the threads, and creates them first where there are none yet.
    package static func group() throws(GatewayConnectionError) -> any EventLoopGroup {
        let group: (any EventLoopGroup)? = made.withLock { made in
            if let made { return made }
            guard areFree(count * descriptorsOfALoop + margin) else { return nil }
            let group = MultiThreadedEventLoopGroup(numberOfThreads: count)
            made = group
            return group
        }
        guard let group else {
            throw shortage
        }
        return group
    }

    /// Returns whether this many descriptors are free.
    ///
    /// They are counted and not opened: another thread may need one at this very moment, and Dispatch ends the process
    /// when it gets none for its first timer.
    package static func areFree(_ count: Int) -> Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
        var free = 0
        // The search begins at the end, since the lowest descriptors are taken first.
        var descriptor = Int32(clamping: limit.rlim_cur)
        while free < count, descriptor > 0 {
            descriptor -= 1
            if fcntl(descriptor, F_GETFD) < 0 { free += 1 }
        }
        return free >= count
    }
}
