/// The precedence of a probe of an endpoint over others at the same address, the highest first.
enum ProbeStanding: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// A gateway has answered there before.
    case answered
    /// The user entered it.
    case manual
    /// It was asked itself, and has said so.
    case confirmed
    /// A packet that says so claims to come from the very address.
    case firstHand
    /// Anybody may have made it up.
    case stranger

    static func < (lhs: ProbeStanding, rhs: ProbeStanding) -> Bool { lhs.rawValue < rhs.rawValue }
}
