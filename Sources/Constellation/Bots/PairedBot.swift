/// A bot that this device is paired with, as it was stored.
public struct PairedBot: Hashable, Sendable {
    /// The key of the bot.
    public let id: BotKey

    /// Its name when it was paired.
    public let name: String?

    /// Its emoji when it was paired.
    public let emoji: String?

    /// Its gateway's name when it was paired.
    public let gatewayName: String?

    /// Creates a paired bot; by default without a stored name, emoji and gateway name.
    public init(id: BotKey, name: String? = nil, emoji: String? = nil, gatewayName: String? = nil) {
        self.id = id
        self.name = name
        self.emoji = emoji
        self.gatewayName = gatewayName
    }
}
