internal import Glibc
internal import Synchronization

/// The sockets of all bus connections, so that another thread can end a call that a frozen daemon blocks.
///
/// Every call of libavahi-client waits for the daemon's answer, by default for 25 s. Shutting its socket down ends the
/// wait at once; the connection is lost with it.
final class BusSockets: Sendable {
    private struct State {
        /// The number of watches on each descriptor: libdbus makes one for reading and one for writing.
        var watches: [CInt: Int] = [:]
        var shutDowns = 0
    }

    private let state = Mutex(State())

    func add(_ descriptor: CInt) {
        state.withLock { $0.watches[descriptor, default: 0] += 1 }
    }

    func remove(_ descriptor: CInt) {
        state.withLock { state in
            let count = state.watches[descriptor, default: 0] - 1
            state.watches[descriptor] = count > 0 ? count : nil
        }
    }

    /// Ends any call that is blocked now, and all connections. May be called from any thread.
    ///
    /// It holds the lock, since meanwhile no thread can close one of these descriptors and have its number reused.
    func shutDown() {
        state.withLock { state in
            state.shutDowns += 1
            for descriptor in state.watches.keys { shutdown(descriptor, CInt(SHUT_RDWR)) }
        }
    }

    /// The number of times that ``shutDown()`` was called.
    var shutDowns: Int { state.withLock { $0.shutDowns } }
}
