package import DNSSD
package import HostSystem
internal import Synchronization

/// A factory of loops that fails a given number of times before it succeeds, as when the system has no descriptor left.
package final class LoopFactory: Sendable {
    /// The error of each failure.
    package static let refusal = SystemError(call: "eventfd", code: 24)

    private let failures: Int
    private let attempts = Mutex(0)

    package init(failures: Int) { self.failures = failures }

    /// The number of attempts to create a loop.
    package var count: Int { attempts.withLock { $0 } }

    package func make(_ clock: any MonotonicClock) throws(SystemError) -> SocketLoop {
        let attempt = attempts.withLock { attempts in
            attempts += 1
            return attempts
        }
        if attempt <= failures { throw Self.refusal }
        return try SocketLoop(name: "test", clock: clock)
    }
}
