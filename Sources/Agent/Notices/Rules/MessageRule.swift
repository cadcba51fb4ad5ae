/// A line of the table of messages: how long that must last of which a message tells, and what holds the message back. A value.
///
/// Its meaning stands at ``Notice/Kind``, and its words at ``Notice/title``.
struct MessageRule: Hashable, Sendable {
    /// The messages that count within an hour.
    enum Limit: Hashable, Sendable {
        /// All messages, and those about the gateway; none for the user's own, so that nothing keeps back that one is gone.
        case presence
        /// All messages, and those about the gateway.
        case gateway
        /// All messages, and those about devices that wait, at the gateway and everywhere: anybody can ask for an approval.
        case approvals
        /// All messages, and those about the access that the gateway has revoked. It may be watched no more.
        case revocations
        /// All messages, and those about this host.
        case host
        /// All messages.
        case all
    }

    /// The time for which it must last before the user is told.
    var hold = Duration.zero

    /// The time for which it must last before the history has it; `nil` for the same one.
    var historyHold: Duration?

    /// The time for which the message waits for others to which the same happens.
    var groupInterval = Duration.zero

    var limit = Limit.gateway
}

extension Notice.Kind {
    /// The line of the table.
    var rule: MessageRule {
        switch self {
        case .gone: MessageRule(groupInterval: .seconds(3), limit: .presence)
        case .back: MessageRule(hold: .seconds(3), groupInterval: .seconds(3), limit: .presence)
        case .unsteady: MessageRule(limit: .presence)
        case .settled: MessageRule(hold: .seconds(300), limit: .presence)
        // The gateway may be about to be gone altogether.
        case .wayLost: MessageRule(hold: .milliseconds(1_500))
        case .wayBack: MessageRule(hold: .seconds(10))
        // One that starts needs some time, and one that has just started says so for a moment.
        case .notReady: MessageRule(hold: .seconds(120), historyHold: .seconds(10))
        case .ready: MessageRule(hold: .seconds(3), historyHold: .seconds(10))
        // A device that is approved at once is none of the user's cares.
        case .approval: MessageRule(hold: .seconds(2), limit: .approvals)
        // The row of a gateway may join another one.
        case .newGateway: MessageRule(hold: .seconds(10), groupInterval: .seconds(3), limit: .all)
        case .changedCertificate, .moved, .replaced, .uncertified, .refused: MessageRule(hold: .seconds(5))
        // One that is refused again at once was not accepted.
        case .accepted: MessageRule(hold: .seconds(3))
        case .revoked: MessageRule(hold: .seconds(5), groupInterval: .seconds(2), limit: .revocations)
        case .cutOff, .reconnected: MessageRule(hold: .seconds(2), limit: .host)
        case .asleep: MessageRule(hold: .seconds(60), limit: .host)
        case .test: MessageRule(limit: .all)
        }
    }
}
