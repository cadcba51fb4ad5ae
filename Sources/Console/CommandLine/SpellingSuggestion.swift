/// A search for the word that the user meant by a mistyped one.
package enum SpellingSuggestion {
    /// The maximum length of a word that is considered: a longer one is no typing error.
    private static let limit = 64

    /// Returns the word that is the fewest insertions, deletions, replacements and swaps of letters away; `nil` when
    /// none is near.
    package static func nearest(to typed: String, among words: [String]) -> String? {
        let typed = Array(typed.lowercased().prefix(limit + 1))
        guard typed.count <= limit else { return nil }
        let nearest = words.map { ($0, distance(typed, Array($0.lowercased()))) }.min { $0.1 < $1.1 }
        guard let (word, distance) = nearest, distance <= max(1, typed.count / 3) else { return nil }
        return word
    }

    /// Returns Damerau's distance, in which swapping two neighbouring letters counts as one change.
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
