internal import GatewayProtocol

/// The way in which a place was found that nobody advertises, and that the user has not named.
package enum PlaceSource: String, Hashable, Sendable, CaseIterable {
    /// A program of this host listens there.
    case thisHost

    /// A program listens there in another network namespace of this host, such as a container's.
    case namespace

    /// It is a machine of the tailnet to which this host belongs.
    case tailnet

    /// It is a host of a network of which all were asked.
    case sweep

    /// The origin that counts for the addresses at which such places may be.
    var origin: TargetRules.Origin {
        switch self {
        case .thisHost, .namespace: .thisHost
        case .tailnet, .sweep: .network
        }
    }
}
