/// A change in the set of services that are present.
public enum ServiceChange: Hashable, Sendable {
    /// The service is new; it is resolved, or resolving it has failed.
    case found(DiscoveredService)

    /// The service is still the same instance, but the given aspects of it have changed.
    case changed(DiscoveredService, Set<ServiceAspect>)

    /// The last path of the service is gone. The value is the last known state of the service.
    case lost(DiscoveredService, LossReason)

    /// The service that the change concerns.
    public var service: DiscoveredService {
        switch self {
        case .found(let service), .changed(let service, _), .lost(let service, _): service
        }
    }
}
