/// One bot of a gateway, with its connection state.
public struct Bot: Hashable, Sendable {
    /// The key of the bot.
    public let id: BotKey

    /// Its name, at most 64 characters; its id when none is known. Untrusted.
    public let name: String

    /// Its emoji, if it has one. Untrusted.
    public let emoji: String?

    /// The status that its gateway tells of it, such as `online`; `nil` while the gateway does not tell of it.
    /// Untrusted.
    public let status: String?

    /// The state of pairing and connecting.
    public let state: BotState

    /// Indicates whether this device is paired with it.
    public let isPaired: Bool
}
