/// The hearing of goodbyes. It costs the parsing of all that is said to the group, so that it begins only where the
/// backend has had its time to see an instance, and ends when there is nothing left that only the query sees.
enum GoodbyeHearing: Hashable {
    case off

    /// It begins then, if there is still a reason.
    case expected(at: ContinuousClock.Instant)

    case on

    /// The time that the backend may take to see an instance: on most networks it has by then.
    static let backendHead = Duration.seconds(2)

    /// The time at which something is due.
    var deadline: ContinuousClock.Instant? {
        if case .expected(let time) = self { time } else { nil }
    }

    /// Sees to it that goodbyes are heard soon.
    mutating func expect(now: ContinuousClock.Instant) {
        if self == .off { self = .expected(at: now + Self.backendHead) }
    }

    /// Indicates whether it is to begin now; it is due once, and off until it is begun.
    mutating func takeBeginning(now: ContinuousClock.Instant) -> Bool {
        guard let deadline, deadline <= now else { return false }
        self = .off
        return true
    }
}
