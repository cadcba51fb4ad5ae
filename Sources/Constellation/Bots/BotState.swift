/// The state of pairing with a bot, and of connecting to it.
public enum BotState: String, Hashable, Sendable, CaseIterable {
    case discovered
    case pairing
    case paired
    case connecting
    case connected
    case disconnected
    case error

    /// Indicates whether a bot in this state may go to another one on word from a pairing or a connection.
    ///
    /// Being unpaired or revoked leads to ``discovered`` from every state, and is an event of its own.
    public func canBecome(_ next: BotState) -> Bool {
        switch (self, next) {
        case (.discovered, .pairing): true
        case (.pairing, .paired), (.pairing, .error), (.pairing, .discovered): true
        case (.paired, .connecting): true
        case (.connecting, .connected), (.connecting, .disconnected), (.connecting, .error): true
        case (.connected, .disconnected): true
        case (.disconnected, .connecting): true
        case (.error, .pairing), (.error, .connecting): true
        case (.connecting, .paired), (.connected, .paired), (.disconnected, .paired), (.error, .paired): true
        default: false
        }
    }
}
