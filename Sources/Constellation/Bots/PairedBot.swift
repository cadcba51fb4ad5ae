public import DNSSD

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

    /// The endpoint at which its gateway was paired, of one without TLS that the user trusts at any other, too; `nil`
    /// for all others. See ``GatewayPath/isElsewhere``.
    public let place: Endpoint?

    /// Creates a paired bot; by default without a stored name, emoji, gateway name and place.
    public init(
        id: BotKey,
        name: String? = nil,
        emoji: String? = nil,
        gatewayName: String? = nil,
        place: Endpoint? = nil
    ) {
        self.id = id
        self.name = name
        self.emoji = emoji
        self.gatewayName = gatewayName
        self.place = place
    }
}
