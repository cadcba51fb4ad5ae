/// The state of pairing with a bot, and of connecting to it.
@nonexhaustive
public enum BotState: String, Hashable, Sendable, CaseIterable {
    /// The bot is neither paired nor being paired.
    case discovered

    /// A pairing with the bot is under way.
    case pairing

    /// The bot is paired, and no session with it is sought: none is wanted, or another process has it.
    case paired

    /// A session is being opened.
    case connecting

    /// The session is live.
    case connected

    /// A session is wanted, but its gateway does not answer.
    case disconnected = "gone"

    /// Pairing has failed; of a session, also: the gateway has revoked its credential.
    case error

    /// A session is wanted, and its gateway is not where it was, or what claims to be it has not proved it.
    case moved

    /// A session is wanted, and another certificate than the pinned one is shown where its gateway was.
    case changedLeaf = "changed-certificate"

    /// A session is wanted, and no trusted certificate proves that the gateway is the host it was paired as.
    case uncertified

    /// A session is wanted, and the gateway has asked for time, or waits for its operator's approval; or the session waits
    /// for its turn.
    case waiting

    /// A session is wanted, and the gateway refuses it.
    case refused

    /// A session is wanted, and this device itself cannot have one.
    case failed

    /// Reads a state, also as older versions wrote it.
    public init?(rawValue: String) {
        let word = rawValue == "disconnected" ? Self.disconnected.rawValue : rawValue
        guard let state = Self.read(word) else { return nil }
        self = state
    }

    /// Indicates whether a pairing or a connection may move a bot from this state to another one.
    ///
    /// Unpairing and revocation lead to ``discovered`` from every state, and are events of their own.
    package func canBecome(_ next: BotState) -> Bool {
        switch (self, next) {
        case (.discovered, .pairing): true
        case (.pairing, .paired), (.pairing, .error), (.pairing, .discovered): true
        case (.paired, .connecting): true
        case (.connecting, .connected), (.connecting, .disconnected), (.connecting, .error): true
        case (.connected, .disconnected): true
        case (.disconnected, .connecting): true
        case (.error, .pairing), (.error, .connecting): true
        case (.connecting, .paired), (.connected, .paired), (.disconnected, .paired), (.error, .paired): true
        case (.connecting, .moved), (.connecting, .changedLeaf), (.connecting, .uncertified), (.connecting, .waiting),
            (.connecting, .refused), (.connecting, .failed):
            true
        case (.moved, let next), (.changedLeaf, let next), (.uncertified, let next), (.waiting, let next),
            (.refused, let next), (.failed, let next):
            next == .pairing || next == .connecting || next == .paired
        default: false
        }
    }
}
