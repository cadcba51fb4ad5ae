public import GatewayProtocol

/// One bot of a gateway, with its connection state.
public struct Bot: Hashable, Sendable {
    /// The key of the bot.
    package let id: BotKey

    /// The row of its gateway.
    public var gateway: GatewayID { id.gateway }

    /// The identifier that the gateway uses for it.
    public var botID: BotID { id.bot }

    /// Its name, at most 64 characters; its id when none is known. Untrusted.
    public let name: String

    /// Its emoji, if it has one. Untrusted.
    public let emoji: String?

    /// The status that its gateway reports, such as `online`; `nil` while the gateway reports none. Untrusted.
    public let status: String?

    /// The state of pairing and connecting.
    public let state: BotState

    /// Indicates whether this device is paired with it.
    public let isPaired: Bool

    package init(id: BotKey, name: String, emoji: String?, status: String?, state: BotState, isPaired: Bool) {
        self.id = id
        self.name = name
        self.emoji = emoji
        self.status = status
        self.state = state
        self.isPaired = isPaired
    }
}

/// The key of a bot, unique in the map: its gateway, and the gateway's identifier for it.
package struct BotKey: Hashable, Sendable, Comparable {
    /// The row of its gateway.
    package let gateway: GatewayID

    /// The identifier that the gateway uses for it.
    package let bot: BotID

    /// Creates the key of a bot of a gateway.
    package init(gateway: GatewayID, bot: BotID) {
        self.gateway = gateway
        self.bot = bot
    }

    /// Orders by gateway, then by the bytes of the bot's identifier.
    package static func < (lhs: BotKey, rhs: BotKey) -> Bool {
        lhs.gateway == rhs.gateway ? lhs.bot < rhs.bot : lhs.gateway < rhs.gateway
    }
}
