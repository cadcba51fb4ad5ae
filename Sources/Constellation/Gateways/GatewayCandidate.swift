public import DNSSD

/// A candidate for a gateway: a service that was found, or an address that a user entered or that was remembered.
public enum GatewayCandidate: Hashable, Sendable, Comparable {
    case service(ServiceInstance)
    case endpoint(Endpoint)

    /// Orders services before endpoints: a service keeps its name when its address changes.
    public static func < (lhs: GatewayCandidate, rhs: GatewayCandidate) -> Bool {
        switch (lhs, rhs) {
        case (.service(let left), .service(let right)): left < right
        case (.endpoint(let left), .endpoint(let right)): left < right
        case (.service, .endpoint): true
        case (.endpoint, .service): false
        }
    }
}
