internal import GatewayProtocol

/// A question of a probe, which is asked over one connection.
enum ProbeQuestion: Hashable, Sendable {
    /// An upgrade, a pause in which the gateway may speak first, then `gateway.discover`.
    case webSocket(resource: String)

    /// An upgrade, then a hello without a token.
    case openAgentsHello(resource: String)

    /// A line of JSON, without any HTTP.
    case bridgeHealth

    /// A `GET` of a resource.
    case http(resource: String)

    /// Indicates whether only a web server can answer the question.
    var isHTTP: Bool { self != .bridgeHealth }

    /// Returns the questions for an expected dialect, the one most likely to be answered first.
    static func sequence(for dialect: GatewayDialect?, at pages: GatewayPages) -> [ProbeQuestion] {
        let webSocket = ProbeQuestion.webSocket(resource: pages.webSocket)
        let (health, version) = (
            ProbeQuestion.http(resource: pages.health), ProbeQuestion.http(resource: pages.version)
        )
        return switch dialect {
        case .bridge: [.bridgeHealth]
        case .openAgents: [.openAgentsHello(resource: pages.webSocket)]
        case .clawline: [version, webSocket]
        case .optaplus, .openClaw: [webSocket, health]
        case nil: [webSocket, health, version, .bridgeHealth]
        }
    }

    /// Returns the cheapest question to a gateway of a known dialect that needs its process.
    static func cheapest(for dialect: GatewayDialect, at pages: GatewayPages) -> ProbeQuestion {
        switch dialect {
        case .optaplus: .webSocket(resource: pages.webSocket)
        case .openAgents: .openAgentsHello(resource: pages.webSocket)
        case .openClaw: .http(resource: pages.health)
        case .clawline: .http(resource: pages.version)
        case .bridge: .bridgeHealth
        }
    }
}
