internal import Constellation
internal import GatewayProtocol

/// One bot of a gateway in JSON. The text in it is exact: what comes from the network is not cleaned.
struct BotOutput: Encodable, Hashable {
    let id: String
    let name: String
    let emoji: String?

    /// The status that the gateway reports for the bot, such as `online`.
    let status: String?

    /// `discovered`, `pairing`, `paired`, `connecting`, `connected`, `disconnected` or `error`.
    let state: String
    let isPaired: Bool

    init(_ bot: Bot) {
        self.id = bot.id.bot.text
        self.name = bot.name
        self.emoji = bot.emoji
        self.status = bot.status
        self.state = bot.state.rawValue
        self.isPaired = bot.isPaired
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, emoji, status, state, isPaired
    }

    // By hand, so that what is absent is `null` and the shape is always the same.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(emoji, forKey: .emoji)
        try container.encode(status, forKey: .status)
        try container.encode(state, forKey: .state)
        try container.encode(isPaired, forKey: .isPaired)
    }
}
