/// The state of listening to the groups for goodbyes. That costs the parsing of all multicast packets, so that it
/// begins only after the backend has had time to see an instance, and ends when there is nothing left that only the
/// query sees.
enum GoodbyeListening: Hashable {
    case off

    /// Listening begins at this time if there is still a reason for it.
    case expected(at: ContinuousClock.Instant)

    case on

    /// The time that the backend may take to see an instance: on most networks it has seen it by then.
    static let backendHead = Duration.seconds(2)

    /// The time at which listening may have to begin.
    var deadline: ContinuousClock.Instant? {
        if case .expected(let time) = self { time } else { nil }
    }

    /// Plans to listen for goodbyes soon, unless that is planned or happening already.
    mutating func expect(now: ContinuousClock.Instant) {
        if self == .off { self = .expected(at: now + Self.backendHead) }
    }

    /// Indicates whether listening is to begin now; returns `true` once only, and leaves it off until it is begun.
    mutating func takeBeginning(now: ContinuousClock.Instant) -> Bool {
        guard let deadline, deadline <= now else { return false }
        self = .off
        return true
    }
}
