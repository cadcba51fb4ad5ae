package import DNSSD
package import GatewayProtocol

/// The identifier of a gateway's row in the map.
///
/// The row of a gateway gets it with the first answer. The first gateway that answers with a fingerprint is identified
/// by that, until another one has proved to be the gateway of the fingerprint.
public struct GatewayID: Hashable, Sendable, Comparable {
    /// The form of an identifier, with what it consists of. Only this package distinguishes them: there may be more.
    package enum Form: Hashable, Sendable {
        /// The gateway of a fingerprint: the first that answered with it, or the one that has proved it.
        case fingerprint(GatewayFingerprint)

        /// A gateway that answers without a fingerprint, or a candidate that has not answered as a gateway.
        case candidate(GatewayCandidate)

        /// One of several gateways that answer with the same fingerprint without proof, with the first candidate that led
        /// to it.
        indirect case claimant(GatewayFingerprint, GatewayCandidate)

        fileprivate var rank: Int {
            switch self {
            case .fingerprint: 0
            case .candidate: 1
            case .claimant: 2
            }
        }
    }

    package let form: Form

    private init(_ form: Form) {
        self.form = form
    }

    package static func fingerprint(_ fingerprint: GatewayFingerprint) -> Self { Self(.fingerprint(fingerprint)) }
    package static func candidate(_ candidate: GatewayCandidate) -> Self { Self(.candidate(candidate)) }
    package static func claimant(_ fingerprint: GatewayFingerprint, _ candidate: GatewayCandidate) -> Self {
        Self(.claimant(fingerprint, candidate))
    }

    /// The fingerprint of the gateway; `nil` if it has none, or merely claims one.
    package var ownFingerprint: GatewayFingerprint? {
        if case .fingerprint(let fingerprint) = form { fingerprint } else { nil }
    }

    /// The candidate in the identifier, if there is one.
    var candidate: GatewayCandidate? {
        switch form {
        case .fingerprint: nil
        case .candidate(let candidate), .claimant(_, let candidate): candidate
        }
    }

    /// Orders fingerprints before candidates, and these before claimants.
    public static func < (lhs: GatewayID, rhs: GatewayID) -> Bool {
        switch (lhs.form, rhs.form) {
        case (.fingerprint(let left), .fingerprint(let right)): left < right
        case (.candidate(let left), .candidate(let right)): left < right
        case (.claimant(let left, let leftCandidate), .claimant(let right, let rightCandidate)):
            left == right ? leftCandidate < rightCandidate : left < right
        default: lhs.form.rank < rhs.form.rank
        }
    }
}

/// A candidate for a gateway: a service that was found, or an address that a user entered or that was remembered.
package enum GatewayCandidate: Hashable, Sendable, Comparable {
    /// A service that was found.
    case service(ServiceInstance)

    /// An address and port, with the path where there is one, that a user entered or that was remembered.
    indirect case endpoint(Endpoint)

    /// Orders services before endpoints: a service keeps its name when its address changes.
    package static func < (lhs: GatewayCandidate, rhs: GatewayCandidate) -> Bool {
        switch (lhs, rhs) {
        case (.service(let left), .service(let right)): left < right
        case (.endpoint(let left), .endpoint(let right)): left < right
        case (.service, .endpoint): true
        case (.endpoint, .service): false
        }
    }
}
