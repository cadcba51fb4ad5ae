package import DNSSD
package import GatewayProtocol

extension GatewayDialect {
    /// The port at which gateways of this dialect usually listen.
    package var usualPort: UInt16 {
        switch self {
        case .optaplus: 3_000
        case .openClaw: 18_789
        case .bridge: 18_790
        case .openAgents: 9_099
        case .clawline: 18_800
        }
    }

    /// The common name of the certificate, in the dialects that have TLS here; `nil` in the others.
    package var certificateName: String? {
        switch self {
        case .optaplus: "clawradar-gateway"
        case .openClaw: "openclaw-gateway"
        case .bridge, .openAgents, .clawline: nil
        }
    }

    /// Returns the place that a client connects to, for people: a URL, or an address where there are no URLs.
    package func location(_ endpoint: Endpoint, isSecure: Bool = false) -> String {
        location("\(endpoint)", isSecure: isSecure)
    }

    /// Returns the place that a client connects to, given a host and a port.
    func location(_ endpoint: String, isSecure: Bool) -> String {
        let scheme = isSecure ? "wss" : "ws"
        return switch self {
        case .optaplus, .openClaw, .openAgents: "\(scheme)://\(endpoint)"
        case .bridge: "\(endpoint)"
        case .clawline: "\(scheme)://\(endpoint)\(webSocketPath)"
        }
    }
}
