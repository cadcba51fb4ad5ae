public import Constellation
public import GatewayProtocol

/// One bot of a gateway.
public struct BotReport: JSONReport {
    private let bot: Bot

    /// Creates the report of a bot in the map.
    public init(_ bot: Bot) {
        self.bot = bot
    }

    public var fields: [String: JSONValue] {
        [
            "id": .string(bot.id.bot.text),
            "name": .string(bot.name),
            "emoji": JSONValue(bot.emoji),
            "status": JSONValue(bot.status),
            "state": .string(bot.state.rawValue),
            "isPaired": .bool(bot.isPaired),
        ]
        .with(.formerState, words: FormerWords.ofSessions)
    }
}
