internal import DNSSD
internal import Synchronization

/// The services that this backend has published, so that its browses recognize them.
final class Publications: Sendable {
    private struct State {
        var counts: [ServiceInstance: Int] = [:]
        var observers: [ObjectIdentifier: @Sendable (ServiceInstance) -> Void] = [:]
    }

    private let state = Mutex(State())

    func contains(_ name: ServiceInstance) -> Bool { state.withLock { $0.counts[name] != nil } }

    func add(_ name: ServiceInstance) {
        change(name, by: 1)
    }

    func remove(_ name: ServiceInstance) {
        change(name, by: -1)
    }

    /// Calls `observer` with each instance that this backend has begun or ceased to publish.
    func observe(_ key: ObjectIdentifier, _ observer: @escaping @Sendable (ServiceInstance) -> Void) {
        state.withLock { $0.observers[key] = observer }
    }

    func ignore(_ key: ObjectIdentifier) {
        _ = state.withLock { $0.observers.removeValue(forKey: key) }
    }

    private func change(_ name: ServiceInstance, by difference: Int) {
        let observers = state.withLock { state in
            let count = state.counts[name, default: 0] + difference
            state.counts[name] = count > 0 ? count : nil
            return state.observers
        }
        for observer in observers.values { observer(name) }
    }
}

/// One of the registrations of a publication: a type on an interface; 0 is all interfaces.
struct RegistrationKey: Hashable, Sendable {
    let type: ServiceType
    let interface: UInt32
}
