package import DNSSD
package import GatewayProtocol

extension GatewayDialect {
    /// The common name of the certificate, in the dialects that have TLS here; `nil` in the others.
    package var certificateName: String? {
        switch self {
        case .optaplus: "clawradar-gateway"
        case .openClaw: "openclaw-gateway"
        case .bridge: "clawdbot-bridge"
        case .openAgents, .clawline: nil
        }
    }

    /// Indicates whether its operator decides which devices may have a token, and can be asked on this host.
    package var hasOperator: Bool { self != .openAgents }

    /// Indicates whether devices wait for its operator's approval.
    package var hasApprovals: Bool { self == .openClaw || self == .bridge || self == .clawline }

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
