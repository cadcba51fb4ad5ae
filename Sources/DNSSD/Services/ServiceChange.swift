/// One change of the set of services that are present.
public enum ServiceChange: Hashable, Sendable {
    /// It is there, and it is resolved or cannot be.
    case found(DiscoveredService)

    /// It is still the same instance, and something about it is new.
    case changed(DiscoveredService, Set<ServiceAspect>)

    /// Its last path is gone. The service is as it was last known.
    case lost(DiscoveredService, LossReason)

    /// The service it is about.
    public var service: DiscoveredService {
        switch self {
        case .found(let service), .changed(let service, _), .lost(let service, _): service
        }
    }
}
