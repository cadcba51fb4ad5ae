internal import DNSSD
internal import GatewayProtocol

/// The paths on which a session may be sought at one moment, and the obstacle to it.
struct PathOffer: Hashable, Sendable {
    /// The reason why a gateway that seems to be there gets no token.
    enum Obstacle: Hashable, Sendable {
        /// Without TLS, it is not where it was.
        case moved(MoveReason)

        /// Another certificate is shown where it was last.
        case changedLeaf(found: LeafFingerprint)

        /// The peer has no trusted certificate for the host that the gateway was paired as.
        case uncertified
    }

    /// The paths on this network, the best first.
    var local: [SessionPath] = []

    /// The paths through a tunnel, or on another network.
    var remote: [SessionPath] = []

    /// The endpoint at which it was last verified.
    var provedLast: Endpoint?

    /// The obstacle that is known before any connection.
    var obstacle: Obstacle?

    /// Indicates whether there is no path.
    var isEmpty: Bool { local.isEmpty && remote.isEmpty }

    /// All paths.
    var all: [SessionPath] { local + remote }
}
