internal import DNSSD
internal import MulticastDNS
internal import Synchronization

/// The one-shot queries that run beside the browses of one backend, and what they all have to know.
final class Companions: Sendable {
    private struct State {
        var sessions: [ObjectIdentifier: OneShotSession] = [:]

        /// The instances that are known to be alive, for the queries that are still to come as well.
        var kept: Set<ServiceInstance> = []
    }

    private let state = Mutex(State())

    func add(_ session: OneShotSession) {
        state.withLock { state in
            state.sessions[ObjectIdentifier(session)] = session
            for instance in state.kept { session.keep(instance, true) }
        }
    }

    func remove(_ session: OneShotSession) {
        state.withLock { state in
            state.sessions[ObjectIdentifier(session)] = nil
        }
    }

    /// An instance is known to be alive by other means, or no longer.
    func keep(_ instance: ServiceInstance, _ isKept: Bool) {
        // Handed over under the lock, so that each hears it in the same order.
        state.withLock { state in
            if isKept { state.kept.insert(instance) } else { state.kept.remove(instance) }
            for session in state.sessions.values { session.keep(instance, isKept) }
        }
    }
}
