public import DNSSD
public import GatewayProtocol

/// The identifier of a gateway's row in the map.
///
/// The row of a gateway gets it with the first answer. The first gateway that answers with a fingerprint is identified
/// by that, until another one has proved to be the gateway of the fingerprint.
public enum GatewayID: Hashable, Sendable, Comparable {
    /// The gateway of a fingerprint: the first that answered with it, or the one that has proved it.
    case fingerprint(GatewayFingerprint)

    /// A gateway that answers without a fingerprint, or a candidate that has not answered as a gateway.
    case candidate(GatewayCandidate)

    /// One of several gateways that answer with the same fingerprint without proof, with the first candidate that led
    /// to it.
    indirect case claimant(GatewayFingerprint, GatewayCandidate)

    /// The fingerprint of the gateway; `nil` if it has none, or merely claims one.
    package var ownFingerprint: GatewayFingerprint? {
        if case .fingerprint(let fingerprint) = self { fingerprint } else { nil }
    }

    /// The candidate in the identifier, if there is one.
    var candidate: GatewayCandidate? {
        switch self {
        case .fingerprint: nil
        case .candidate(let candidate), .claimant(_, let candidate): candidate
        }
    }

    /// Orders fingerprints before candidates, and these before claimants.
    public static func < (lhs: GatewayID, rhs: GatewayID) -> Bool {
        switch (lhs, rhs) {
        case (.fingerprint(let left), .fingerprint(let right)): left < right
        case (.candidate(let left), .candidate(let right)): left < right
        case (.claimant(let left, let leftCandidate), .claimant(let right, let rightCandidate)):
            left == right ? leftCandidate < rightCandidate : left < right
        default: lhs.kind < rhs.kind
        }
    }

    private var kind: Int {
        switch self {
        case .fingerprint: 0
        case .candidate: 1
        case .claimant: 2
        }
    }
}

/// A candidate for a gateway: a service that was found, or an address that a user entered or that was remembered.
public enum GatewayCandidate: Hashable, Sendable, Comparable {
    /// A service that was found.
    case service(ServiceInstance)

    /// An address and port, with the path where there is one, that a user entered or that was remembered.
    indirect case endpoint(Endpoint)

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
