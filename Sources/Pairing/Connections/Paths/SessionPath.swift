package import DNSSD
internal import GatewayClient
internal import GatewayProtocol
package import Scanning

/// A path on which a session may be sought: where to connect, and the proof that is demanded there.
package struct SessionPath: Hashable, Sendable, CustomStringConvertible {
    /// The place to connect to.
    package enum Place: Hashable, Sendable, CustomStringConvertible {
        /// An address and a port, with a path if it has one.
        case endpoint(Endpoint)

        /// A host whose name is looked up by the system's resolver, such as that of a tunnel.
        case host(String, port: UInt16)

        /// The address and port, such as `10.0.0.1:3000`, or the host name and port.
        package var description: String {
            switch self {
            case .endpoint(let endpoint): "\(endpoint)"
            case .host(let host, let port): "\(host):\(port)"
            }
        }
    }

    /// The place to connect to.
    package let place: Place

    /// The distance to it.
    package let reach: Reach

    /// Indicates whether it leads to another place than that of the pairing, of a gateway without TLS that the user
    /// trusts anywhere in this network. Who answers there is shown, since anybody in the network can.
    package var isElsewhere = false

    /// The path of the WebSocket at a host; that at an endpoint is a part of the endpoint.
    var resource = "/"

    /// The proof that the peer must give before it gets the token.
    let policy: TrustPolicy

    /// The tunnel whose other end gets the token in clear, by the user's word; `nil` for all other trust. It is shown, since
    /// nothing proves who that is.
    var tunnel: NetworkTunnel? {
        if case .tunnel(let tunnel) = policy { tunnel } else { nil }
    }

    /// The endpoint, if it is known before the host name is looked up.
    package var endpoint: Endpoint? {
        if case .endpoint(let endpoint) = place { endpoint } else { nil }
    }

    package var description: String { "\(place)\(resource == "/" ? "" : resource)" }

    /// The rank among the paths to a gateway, the first to try being the lowest: a path of a higher rank is tried only
    /// where none of a lower one leads to a session, and left when one does.
    var rank: Rank {
        if isElsewhere { return .elsewhere }
        return reach == .local ? .local : .remote
    }

    /// The ranks of paths.
    enum Rank: Int, Hashable, Comparable, CaseIterable {
        /// On this network.
        case local
        /// Through a tunnel, or on another network.
        case remote
        /// On this network, where nothing indicates that it is the same gateway but what it says.
        case elsewhere

        static func < (lhs: Rank, rhs: Rank) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// The transport that the policy demands.
    var transport: GatewayTransport {
        switch policy {
        case .pinned(let leaf): .tls(pin: leaf)
        case .certified(let host): .certified(host: host)
        case .sameAddress, .lan, .tailnet, .tunnel: .plain
        }
    }
}
