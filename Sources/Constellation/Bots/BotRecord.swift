/// The facts about one bot that pairings and connections have told. What its gateway tells of it is not in here.
struct BotRecord: Hashable, Sendable {
    var state = BotState.discovered

    /// The pairing, if there is one.
    var pairing: PairedBot?

    /// Indicates whether there is nothing to remember.
    var isBlank: Bool { state == .discovered && pairing == nil }

    /// Goes to another state.
    ///
    /// - Returns: `false` when that is refused. To be in a state already is no transition, and never refused.
    mutating func become(_ next: BotState) -> Bool {
        if next == state { return true }
        guard state.canBecome(next) else { return false }
        switch next {
        case .connecting, .paired:
            // The error may have been one of pairing, and then there is nothing to connect with or to go back to.
            guard pairing != nil else { return false }
        case .discovered:
            // What is paired stays so when pairing it again is given up.
            guard pairing == nil else { return false }
        case .pairing, .connected, .disconnected, .error:
            break
        }
        state = next
        return true
    }

    /// Has a pairing, from the store or as pairing's result; a second one of a paired bot takes the first one's place.
    ///
    /// - Returns: `false` when that is refused.
    mutating func pair(_ bot: PairedBot) -> Bool {
        switch state {
        case .discovered, .pairing: state = .paired
        case .paired, .connecting, .connected, .disconnected: break
        case .error: guard pairing != nil else { return false }
        }
        pairing = bot
        return true
    }
}
