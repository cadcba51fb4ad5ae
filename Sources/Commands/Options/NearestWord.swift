/// The word that somebody who mistyped one has meant.
enum NearestWord {
    /// The longest word that is looked at: beyond it nobody has mistyped anything.
    private static let limit = 64

    /// The word that needs the fewest letters inserted, removed, replaced or swapped; `nil` when none is near.
    static func to(_ typed: String, among words: [String]) -> String? {
        let typed = Array(typed.lowercased().prefix(limit + 1))
        guard typed.count <= limit else { return nil }
        let nearest = words.map { ($0, distance(typed, Array($0.lowercased()))) }.min { $0.1 < $1.1 }
        guard let (word, distance) = nearest, distance <= max(1, typed.count / 3) else { return nil }
        return word
    }

    /// Damerau's distance, in which neighbours that are swapped count once.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var rows = [Array(0...right.count)]
        for row in 1...left.count {
            var next = [row]
            for column in 1...right.count {
                let isSame = left[row - 1] == right[column - 1]
                var best = min(rows[row - 1][column] + 1, next[column - 1] + 1)
                best = min(best, rows[row - 1][column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    best = min(best, rows[row - 2][column - 2] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[left.count][right.count]
    }
}
