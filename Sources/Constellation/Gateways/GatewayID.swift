public import DNSSD
public import GatewayProtocol

/// The identifier of a gateway's row in the map.
///
/// It depends on what is known, never on the order in which it came to be known.
public enum GatewayID: Hashable, Sendable, Comparable {
    /// The one gateway of a fingerprint: nobody else claims it, or this one alone has proved it.
    case fingerprint(GatewayFingerprint)

    /// A gateway that names no fingerprint, or another one than its service advertises: known by what led to it.
    case candidate(GatewayCandidate)

    /// One of several that claim a fingerprint without proof; of those that are one gateway, the first lead.
    case claimant(GatewayFingerprint, GatewayCandidate)

    /// The candidate that it names, if it does.
    var candidate: GatewayCandidate? {
        switch self {
        case .fingerprint: nil
        case .candidate(let candidate), .claimant(_, let candidate): candidate
        }
    }

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
    case service(ServiceInstance)
    case endpoint(Endpoint)

    /// Services come first: what they are called by stays the same when an address changes.
    public static func < (lhs: GatewayCandidate, rhs: GatewayCandidate) -> Bool {
        switch (lhs, rhs) {
        case (.service(let left), .service(let right)): left < right
        case (.endpoint(let left), .endpoint(let right)): left < right
        case (.service, .endpoint): true
        case (.endpoint, .service): false
        }
    }
}
