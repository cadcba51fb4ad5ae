/// Rows and columns of text, laid out for a given width.
struct TextTable {
    /// One column.
    struct Column {
        /// What stands above it.
        let title: String

        /// The fewest cells that it may be cut down to.
        let minimum: Int

        /// When the width does not suffice for the minimum of all, the columns of the highest rank are left out first.
        /// Rank 0 stays.
        let rank: Int

        init(_ title: String, minimum: Int, rank: Int = 0) {
            self.title = title
            self.minimum = minimum
            self.rank = rank
        }
    }

    private static let gap = 2

    let columns: [Column]

    /// The cells of each row, cleaned; as many as there are columns.
    let rows: [[String]]

    /// The lines, the titles first.
    ///
    /// - Parameter width: The cells there are; `nil` when nothing needs to be cut.
    func lines(width: Int?) -> [String] {
        let natural = columns.indices.map { column in
            rows.reduce(DisplayWidth.of(columns[column].title)) { max($0, DisplayWidth.of($1[column])) }
        }
        let (shown, widths) = layout(natural, width: width)
        return ([columns.map(\.title)] + rows).map { row in
            var line = ""
            for (position, column) in shown.enumerated() {
                let width = widths[position]
                line += DisplayWidth.pad(row[column], to: width + Self.gap, cuttingAt: width)
            }
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
    }

    /// Which columns are shown, and how wide.
    private func layout(_ natural: [Int], width: Int?) -> (shown: [Int], widths: [Int]) {
        var shown = Array(columns.indices)
        guard let width else { return (shown, natural) }
        let least = natural.indices.map { min(natural[$0], columns[$0].minimum) }
        func total(_ widths: [Int]) -> Int { shown.reduce(-Self.gap) { $0 + widths[$1] + Self.gap } }

        while total(least) > width, let rank = shown.map({ columns[$0].rank }).max(), rank > 0 {
            shown.removeAll { columns[$0].rank == rank }
        }
        var widths = natural
        // The widest gives first, so that no column starves beside one that is full of space.
        while total(widths) > width {
            guard let widest = shown.filter({ widths[$0] > least[$0] }).max(by: { widths[$0] < widths[$1] })
            else { break }
            widths[widest] -= 1
        }
        return (shown, shown.map { widths[$0] })
    }
}
