package import DNSSD
package import GatewayProtocol

extension GatewayDialect {
    /// The port at which they usually listen.
    package var usualPort: UInt16 {
        switch self {
        case .optaplus: 3_000
        case .openClaw: 18_789
        case .bridge: 18_790
        case .openAgents: 9_099
        case .clawline: 18_800
        }
    }

    /// Returns the place that a client goes to, for people: a URL, or an address where there are no URLs.
    package func location(_ endpoint: Endpoint) -> String {
        switch self {
        case .optaplus, .openClaw, .openAgents: "ws://\(endpoint)"
        case .bridge: "\(endpoint)"
        case .clawline: "ws://\(endpoint)\(webSocketPath)"
        }
    }
}
