internal import Synchronization

/// The protected instances of a backend, which are known to be alive by other means. Its sessions read them on any
/// thread.
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
