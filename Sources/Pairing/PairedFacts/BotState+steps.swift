package import Scanning

extension BotState {
    /// Returns the states through which a session's bot gets to another one: a step that is not allowed is made by way
    /// of others.
    package func steps(to target: BotState) -> [BotState] {
        if self == target { return [] }
        if canBecome(target) { return [target] }
        // All states of sessions lead to connecting, and from there to every other one.
        if canBecome(.connecting) { return [.connecting, target] }
        return canBecome(.disconnected) ? [.disconnected, .connecting, target] : [target]
    }
}
