internal import GatewayProtocol

/// One step of the sequence: what is asked of an endpoint over one connection.
enum ProbeQuestion: Hashable, Sendable {
    /// Upgrade, listen whether the gateway speaks first, then `gateway.discover`.
    case webSocket(resource: String)

    /// Upgrade, then a hello without a token.
    case openAgentsHello

    /// A line of JSON, and never a byte of HTTP.
    case bridgeHealth

    /// `GET`.
    case http(resource: String)

    /// Indicates whether only a web server can answer the question.
    var isHTTP: Bool { self != .bridgeHealth }

    /// The questions for what is expected, the first one the most likely to be answered.
    static func sequence(for dialect: GatewayDialect?, resource: String) -> [ProbeQuestion] {
        switch dialect {
        case .bridge: [.bridgeHealth]
        case .openAgents: [.openAgentsHello]
        case .clawline: [.http(resource: "/version"), .webSocket(resource: resource)]
        case .optaplus, .openClaw: [.webSocket(resource: resource), .http(resource: "/healthz")]
        case nil:
            [
                .webSocket(resource: resource), .http(resource: "/healthz"), .http(resource: "/version"), .bridgeHealth,
            ]
        }
    }

    /// Returns the questions that are asked of a gateway that is known already.
    static func repetition(for dialect: GatewayDialect?, resource: String) -> [ProbeQuestion] {
        switch dialect {
        case .optaplus: [.webSocket(resource: resource)]
        case .openClaw: [.http(resource: "/healthz")]
        case .clawline: [.http(resource: "/version")]
        case .bridge, .openAgents, nil: sequence(for: dialect, resource: resource)
        }
    }
}
