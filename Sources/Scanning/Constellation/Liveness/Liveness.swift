/// The liveness of a gateway: whether it answers. Only answers decide, never the records in DNS-SD.
public enum Liveness: String, Hashable, Sendable, CaseIterable, Comparable {
    /// It answered when it was last asked.
    case answering

    /// It left two checks in a row unanswered, or floods: see ``GatewayPath/isFlooding``.
    case suspect

    /// It left four in a row unanswered.
    case gone

    /// Indicates whether it is still to be shown when its service is lost.
    public var isAlive: Bool { self != .gone }

    /// Returns the liveness of several endpoints as one: the best of them; `nil` while none is known.
    static func best(_ all: some Sequence<Liveness?>) -> Liveness? {
        var best: Liveness?
        for case let liveness? in all { best = min(best ?? liveness, liveness) }
        return best
    }

    /// Orders the livelier before the less lively.
    public static func < (lhs: Liveness, rhs: Liveness) -> Bool { lhs.rank < rhs.rank }

    private var rank: Int {
        switch self {
        case .answering: 0
        case .suspect: 1
        case .gone: 2
        }
    }
}
