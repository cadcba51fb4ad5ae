internal import Synchronization

/// The instances that are known to be alive by other means, as a backend was last told: its sessions ask, on any thread.
package final class ProtectedInstances: Sendable {
    private let instances = Mutex<Set<ServiceInstance>>([])

    package init() {}

    package func contains(_ instance: ServiceInstance) -> Bool { instances.withLock { $0.contains(instance) } }

    /// See ``ServiceBackend/protect(_:_:)``.
    package func protect(_ instance: ServiceInstance, _ isProtected: Bool) {
        instances.withLock { instances in
            if isProtected { instances.insert(instance) } else { instances.remove(instance) }
        }
    }
}
