internal import GatewayProtocol

/// The manners in which sessions of a dialect are sought and kept.
struct SessionManners: Hashable, Sendable {
    /// The pace at which a gateway that is away is sought.
    var pace = BackOff.Pace.usual

    /// The limit on requests for a session; `nil` if there is none.
    var limit: AttemptLimit?

    init(_ dialect: GatewayDialect) {
        switch dialect {
        case .clawline:
            pace = .clawline
            limit = AttemptLimit()
        case .optaplus, .openClaw, .bridge, .openAgents:
            break
        }
    }
}
