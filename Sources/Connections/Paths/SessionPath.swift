public import Constellation
public import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import PairingStore

/// A path on which a session may be sought: where to connect, and the proof that is demanded there.
public struct SessionPath: Hashable, Sendable, CustomStringConvertible {
    /// The place to connect to.
    public enum Place: Hashable, Sendable, CustomStringConvertible {
        /// An address and a port.
        case endpoint(Endpoint)

        /// A host whose name is looked up by the system's resolver, such as that of a tunnel.
        case host(String, port: UInt16)

        /// The address and port, such as `10.0.0.1:3000`, or the host name and port.
        public var description: String {
            switch self {
            case .endpoint(let endpoint): "\(endpoint)"
            case .host(let host, let port): "\(host):\(port)"
            }
        }
    }

    /// The place to connect to.
    public let place: Place

    /// The distance to it.
    public let reach: Reach

    /// The path of the WebSocket.
    let resource: String

    /// The proof that the peer must give before it gets the token.
    let policy: TrustPolicy

    /// The endpoint, if it is known before the host name is looked up.
    public var endpoint: Endpoint? {
        if case .endpoint(let endpoint) = place { endpoint } else { nil }
    }

    public var description: String { "\(place)" }

    /// The transport that the policy demands.
    var transport: GatewayTransport {
        switch policy {
        case .pinned(let leaf): .tls(pin: leaf)
        case .certified(let host): .certified(host: host)
        case .sameAddress, .lan: .plain
        }
    }
}
