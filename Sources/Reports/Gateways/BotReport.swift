package import GatewayProtocol
package import Scanning

/// One bot of a gateway.
package struct BotReport: JSONReport {
    private let bot: Bot

    /// Creates the report of a bot in the map.
    package init(_ bot: Bot) {
        self.bot = bot
    }

    package var fields: [String: JSONValue] {
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
