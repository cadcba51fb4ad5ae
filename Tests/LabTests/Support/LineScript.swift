/// A pattern of the statements that a watch prints about one gateway, in order.
///
/// A statement begins with its mark, such as `+ optaplus, 1 bot: 🤖 Jarvis`, `~ suspect` or `- …`.
indirect enum LineScript: Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// Exactly this statement.
    case line(String)
    /// These patterns in order.
    case sequence([LineScript])
    /// One of these patterns.
    case either([LineScript])
    /// Each of these statements at most once, in any order.
    case atMostOnce([String])
    /// A pattern that is repeated a number of times in this range.
    case times(ClosedRange<Int>, LineScript)

    init(stringLiteral text: String) { self = .line(text) }

    init(arrayLiteral elements: LineScript...) { self = .sequence(elements) }

    /// The gateway is found.
    static let found: LineScript = "+ optaplus, 1 bot: 🤖 Jarvis"

    /// A gateway of the dialect OpenClaw is found.
    static let openClawFound: LineScript = "+ openclaw, no bots known"

    /// The gateway is lost. Before that, it may be reported as missed and as no longer advertised.
    static let lost: LineScript = [
        .atMostOnce(["~ suspect", "~ gone", "~ not advertised any more"]),
        "- it is not advertised any more, and does not answer",
    ]

    /// The gateway is lost because another one has taken its place. Before that, it may be reported as missed and as no
    /// longer advertised.
    static let replaced: LineScript = [
        .atMostOnce(["~ suspect", "~ gone", "~ not advertised any more"]), "- something else answers there now",
    ]

    /// A short interruption: the gateway becomes *suspect*, and answers again before it is *gone*; or nothing is
    /// reported.
    static let blip: LineScript = .either([withdrawn, [withdrawn, "~ suspect", withdrawn, "~ answering", withdrawn]])

    /// The gateway is not advertised for a while, which may be reported.
    static let withdrawn: LineScript = .atMostOnce(["~ not advertised any more"])

    /// Returns whether the script matches all of these statements.
    func matches(_ statements: [String]) -> Bool {
        ends(in: statements, from: 0).contains(statements.count)
    }

    /// Returns the positions at which a match of this script from a position may end.
    private func ends(in statements: [String], from start: Int) -> Set<Int> {
        switch self {
        case .line(let text):
            return start < statements.count && statements[start] == text ? [start + 1] : []
        case .sequence(let parts):
            return parts.reduce([start]) { starts, part in
                starts.reduce(into: []) { $0.formUnion(part.ends(in: statements, from: $1)) }
            }
        case .either(let parts):
            return parts.reduce(into: []) { $0.formUnion($1.ends(in: statements, from: start)) }
        case .atMostOnce(let texts):
            var ends: Set<Int> = [start]
            var (end, left) = (start, Set(texts))
            while end < statements.count, left.remove(statements[end]) != nil {
                end += 1
                ends.insert(end)
            }
            return ends
        case .times(let range, let part):
            var (all, present): (Set<Int>, Set<Int>) = (range.contains(0) ? [start] : [], [start])
            for count in 1...max(1, range.upperBound) where count <= range.upperBound {
                present = present.reduce(into: []) { $0.formUnion(part.ends(in: statements, from: $1)) }
                if range.contains(count) { all.formUnion(present) }
            }
            return all
        }
    }
}
