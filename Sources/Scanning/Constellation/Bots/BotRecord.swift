/// The facts about one bot that pairings and connections have reported. Reports of its gateway are not stored here.
struct BotRecord: Hashable, Sendable {
    var state = BotState.discovered

    /// The pairing, if there is one.
    var pairing: PairedBot?

    /// Indicates whether there is nothing to remember.
    var isBlank: Bool { state == .discovered && pairing == nil }

    /// Moves the bot to another state.
    ///
    /// - Returns: `false` when the transition is refused. Staying in the same state is no transition, and is never
    ///   refused.
    mutating func become(_ next: BotState) -> Bool {
        if next == state { return true }
        guard state.canBecome(next) else { return false }
        switch next {
        case .connecting, .paired:
            // After a failed pairing, there is no pairing to connect with or to go back to.
            guard pairing != nil else { return false }
        case .discovered:
            // A paired bot stays paired when an attempt to pair it again is abandoned.
            guard pairing == nil else { return false }
        case .pairing, .connected, .disconnected, .error, .moved, .changedLeaf, .uncertified, .waiting, .refused,
            .failed:
            break
        }
        state = next
        return true
    }

    /// Records a pairing, from the store or just completed; it replaces an earlier pairing of the same bot.
    ///
    /// - Returns: `false` when the pairing is refused.
    mutating func pair(_ bot: PairedBot) -> Bool {
        switch state {
        case .discovered, .pairing: state = .paired
        case .paired, .connecting, .connected, .disconnected, .moved, .changedLeaf, .uncertified, .waiting, .refused,
            .failed:
            break
        case .error: guard pairing != nil else { return false }
        }
        pairing = bot
        return true
    }
}
