public import GatewayProtocol

/// The key of one bot among all: its gateway, and the gateway's identifier of it.
public struct BotKey: Hashable, Sendable, Comparable {
    /// The row of its gateway.
    public let gateway: GatewayID

    /// The identifier by which the gateway calls it.
    public let bot: BotID

    public init(gateway: GatewayID, bot: BotID) {
        self.gateway = gateway
        self.bot = bot
    }

    public static func < (lhs: BotKey, rhs: BotKey) -> Bool {
        lhs.gateway == rhs.gateway ? lhs.bot < rhs.bot : lhs.gateway < rhs.gateway
    }
}
