/// One bot of a gateway, with its connection state.
public struct Bot: Hashable, Sendable {
    /// Which bot.
    public let id: BotKey

    /// Its name, at most 64 characters; its id when none is known. Untrusted.
    public let name: String

    /// Its emoji, if it has one. Untrusted.
    public let emoji: String?

    /// What its gateway says of it, such as `online`; `nil` while the gateway does not tell of it. Untrusted.
    public let status: String?

    /// How far pairing and connecting have come.
    public let state: BotState

    /// Whether this device is paired with it.
    public let isPaired: Bool
}
