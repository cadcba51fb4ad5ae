internal import GatewayProtocol

/// A question of a probe, which is asked over one connection.
enum ProbeQuestion: Hashable, Sendable {
    /// An upgrade, a pause in which the gateway may speak first, then `gateway.discover`.
    case webSocket(resource: String)

    /// An upgrade, then a hello without a token.
    case openAgentsHello

    /// A line of JSON, without any HTTP.
    case bridgeHealth

    /// A `GET` of a resource.
    case http(resource: String)

    /// Indicates whether only a web server can answer the question.
    var isHTTP: Bool { self != .bridgeHealth }

    /// Returns the questions for an expected dialect, the one most likely to be answered first.
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

    /// Returns the questions for a gateway that is already known.
    static func repetition(for dialect: GatewayDialect?, resource: String) -> [ProbeQuestion] {
        switch dialect {
        case .optaplus: [.webSocket(resource: resource)]
        case .openClaw: [.http(resource: "/healthz")]
        case .clawline: [.http(resource: "/version")]
        case .bridge, .openAgents, nil: sequence(for: dialect, resource: resource)
        }
    }
}
