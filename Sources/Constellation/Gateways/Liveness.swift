/// The liveness of a gateway: whether it answers. Answers alone decide, never what DNS-SD lists.
public enum Liveness: String, Hashable, Sendable, CaseIterable, Comparable {
    /// It answered when it was last asked.
    case answering

    /// It missed two answers in a row, or floods: see ``GatewayPath/isFlooding``.
    case suspect

    /// It missed four.
    case gone

    /// Indicates whether it is still to be shown when its service is lost.
    public var isAlive: Bool { self != .gone }

    /// The livelier first.
    public static func < (lhs: Liveness, rhs: Liveness) -> Bool { lhs.rank < rhs.rank }

    private var rank: Int {
        switch self {
        case .answering: 0
        case .suspect: 1
        case .gone: 2
        }
    }
}
