/// The news that a person would expect of one gateway, in order: `+ optaplus, 1 bot: 🤖 Jarvis`, `~ suspect`, `- …`.
indirect enum LineScript: Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// This, word for word.
    case line(String)
    /// One after the other.
    case sequence([LineScript])
    /// One of these.
    case either([LineScript])
    /// Each of these at most once, in any order.
    case some([String])
    /// So many times.
    case times(ClosedRange<Int>, LineScript)

    init(stringLiteral text: String) { self = .line(text) }

    init(arrayLiteral elements: LineScript...) { self = .sequence(elements) }

    /// It comes.
    static let found: LineScript = "+ optaplus, 1 bot: 🤖 Jarvis"

    /// It goes, and whatever may be said before: that it is missed, and no longer advertised.
    static let lost: LineScript = [
        .some(["~ suspect", "~ gone", "~ not advertised any more"]),
        "- it is not advertised any more, and does not answer",
    ]

    /// Another one has taken its place, and whatever may be said before.
    static let replaced: LineScript = [
        .some(["~ suspect", "~ gone", "~ not advertised any more"]), "- something else answers there now",
    ]

    /// It is missed for a while, and not longer than until it is *suspect*; or nobody notices.
    static let blip: LineScript = .either([withdrawn, [withdrawn, "~ suspect", withdrawn, "~ answering", withdrawn]])

    /// Nothing leads to it for a while, and that may be said.
    private static let withdrawn: LineScript = .some(["~ not advertised any more"])

    /// Returns whether this is the news that the script expects.
    func matches(_ news: [String]) -> Bool {
        ends(in: news, from: 0).contains(news.count)
    }

    /// Returns the positions in the news at which what follows this script may begin.
    private func ends(in news: [String], from start: Int) -> Set<Int> {
        switch self {
        case .line(let text):
            return start < news.count && news[start] == text ? [start + 1] : []
        case .sequence(let parts):
            return parts.reduce([start]) { starts, part in
                starts.reduce(into: []) { $0.formUnion(part.ends(in: news, from: $1)) }
            }
        case .either(let parts):
            return parts.reduce(into: []) { $0.formUnion($1.ends(in: news, from: start)) }
        case .some(let texts):
            var ends: Set<Int> = [start]
            var (end, left) = (start, Set(texts))
            while end < news.count, left.remove(news[end]) != nil {
                end += 1
                ends.insert(end)
            }
            return ends
        case .times(let range, let part):
            var (all, present): (Set<Int>, Set<Int>) = (range.contains(0) ? [start] : [], [start])
            for count in 1...max(1, range.upperBound) where count <= range.upperBound {
                present = present.reduce(into: []) { $0.formUnion(part.ends(in: news, from: $1)) }
                if range.contains(count) { all.formUnion(present) }
            }
            return all
        }
    }
}
