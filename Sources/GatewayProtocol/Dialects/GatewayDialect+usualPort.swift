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
}
