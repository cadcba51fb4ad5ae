package import DNSSD
package import GatewayProtocol

/// A bot that this device is paired with, as it was stored.
package struct PairedBot: Hashable, Sendable {
    /// The key of the bot.
    package let id: BotKey

    /// Its name when it was paired.
    package let name: String?

    /// Its emoji when it was paired.
    package let emoji: String?

    /// Its gateway's name when it was paired.
    package let gatewayName: String?

    /// The endpoint at which its gateway was paired, of one without TLS that the user trusts at any other, too; `nil`
    /// for all others. See ``GatewayPath/isElsewhere``.
    package let place: Endpoint?

    /// The marks by which its gateway is recognized; `nil` when they are not known. Those that were reported last
    /// count for its gateway.
    package let marks: PairedMarks?

    /// Creates a paired bot; by default without a stored name, emoji, gateway name, place and marks.
    package init(
        id: BotKey,
        name: String? = nil,
        emoji: String? = nil,
        gatewayName: String? = nil,
        place: Endpoint? = nil,
        marks: PairedMarks? = nil
    ) {
        self.id = id
        self.name = name
        self.emoji = emoji
        self.gatewayName = gatewayName
        self.place = place
        self.marks = marks
    }
}
