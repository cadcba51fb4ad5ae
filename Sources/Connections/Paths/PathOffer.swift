internal import Constellation
internal import DNSSD
internal import GatewayProtocol
internal import PairingStore

/// The ways on which a session may be sought at one moment, and what stands in its way.
struct PathOffer: Hashable, Sendable {
    /// The reason why a gateway that seems to be there gets no token.
    enum Obstacle: Hashable, Sendable {
        /// Without TLS, it is not where it was.
        case moved(MoveReason)

        /// It shows another certificate where it was last.
        case changedLeaf(found: LeafFingerprint)

        /// Nobody vouches that what answers is the host that it was paired as.
        case uncertified
    }

    /// The ways on this network, the best first.
    var local: [SessionPath] = []

    /// The ways through a tunnel, or on another network.
    var remote: [SessionPath] = []

    /// The endpoint at which it was proved last.
    var provedLast: Endpoint?

    /// The obstacle that is known before any connection.
    var obstacle: Obstacle?

    /// Indicates whether there is no way.
    var isEmpty: Bool { local.isEmpty && remote.isEmpty }

    /// All ways.
    var all: [SessionPath] { local + remote }
}
