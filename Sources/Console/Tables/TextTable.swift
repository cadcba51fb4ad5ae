/// Rows and columns of text, laid out for a given width.
package struct TextTable {
    /// One column.
    package struct Column {
        /// The title above the column.
        let title: String

        /// The minimum width, in cells, down to which the column may be cut.
        let minimum: Int

        /// The rank by which columns are left out: if not all columns fit at their minimum width, those with the
        /// highest rank are left out first. Columns with rank 0 always stay.
        let rank: Int

        /// Indicates whether a text that does not fit gets lines of its own below its row: half an address is none, and
        /// neither is half a time.
        let keepsEnd: Bool

        /// Indicates whether its texts are sentences: these give way to all others. They stand below their rows where they do
        /// not fit, and all of them do before another column is left out.
        let isProse: Bool

        package init(
            _ title: String,
            minimum: Int,
            rank: Int = 0,
            keepsEnd: Bool = false,
            isProse: Bool = false
        ) {
            self.title = title
            self.minimum = minimum
            self.rank = rank
            self.keepsEnd = keepsEnd || isProse
            self.isProse = isProse
        }
    }

    private static let gap = 2

    /// The width to which columns without `keepsEnd` are cut, even below their minimum, before the other columns are.
    private static let shortest = 9

    /// The same where no other column could be left out: the texts of the others would stand below their rows.
    private static let narrowest = 5

    let columns: [Column]

    /// The cells of each row, cleaned; as many as there are columns.
    let rows: [[String]]

    package init(columns: [Column], rows: [[String]]) {
        self.columns = columns
        self.rows = rows
    }

    /// Returns the titles and the rows, each of which can have further lines.
    ///
    /// - Parameters:
    ///   - width: The available width in cells; `nil` if nothing needs to be cut.
    ///   - isLive: Indicates whether the lines are part of a picture, in which none may be too long.
    ///   - paint: A closure that gets the row, the column and the text of a cell, and returns the text with its style.
    package func lines(
        width: Int?,
        isLive: Bool = false,
        paint: (Int, Int, String) -> String = { $2 }
    ) -> [String] {
        let natural = columns.indices.map { column in
            rows.reduce(DisplayWidth.of(columns[column].title)) { max($0, DisplayWidth.of($1[column])) }
        }
        let (shown, widths) = layout(natural, width: width)
        let leftOut = columns.indices.filter { columns[$0].isProse && !shown.contains($0) }
        return ([columns.map(\.title)] + rows).enumerated().map { number, row in
            var line = ""
            var below: [(title: String, text: String)] = []
            // Padding is written only before the next text, so that no line ends in spaces.
            var space = 0
            for (position, column) in shown.enumerated() {
                let cell = widths[position]
                var text = DisplayWidth.fit(row[column], in: cell)
                if columns[column].keepsEnd, number > 0, text != row[column] {
                    below.append((columns[column].title, row[column]))
                    text = "↓"
                }
                if !text.isEmpty {
                    line +=
                        String(repeating: " ", count: space) + (number == 0 ? text : paint(number - 1, column, text))
                    space = 0
                }
                space += cell + Self.gap - DisplayWidth.of(text)
            }
            for column in leftOut where number > 0 && !["", "-"].contains(row[column]) {
                below.append((columns[column].title, row[column]))
            }
            // Of several it would not be clear which is which.
            let folded = below.flatMap { title, text in
                WrappedText.lines(
                    below.count > 1 ? "\(title.lowercased()): \(text)" : text,
                    width: width,
                    isLive: isLive
                )
            }
            return ([line] + folded).joined(separator: "\n")
        }
    }

    /// Returns the columns that are shown, and their widths.
    private func layout(_ natural: [Int], width: Int?) -> (shown: [Int], widths: [Int]) {
        var shown = Array(columns.indices)
        guard let width else { return (shown, natural) }
        let least = natural.indices.map { min(natural[$0], columns[$0].minimum) }
        func total(_ widths: [Int]) -> Int { shown.reduce(-Self.gap) { $0 + widths[$1] + Self.gap } }

        if total(least) > width { shown.removeAll { columns[$0].isProse } }
        while total(least) > width, let rank = shown.map({ columns[$0].rank }).max(), rank > 0 {
            shown.removeAll { columns[$0].rank == rank }
        }
        var widths = natural
        /// Narrows some of the columns, down to given widths, until the table fits.
        func shrink(_ columns: [Int], to least: [Int]) {
            // The widest column is narrowed first, so that no column is cut short while another one is still wide.
            while total(widths) > width,
                let widest = columns.filter({ widths[$0] > least[$0] }).max(by: { widths[$0] < widths[$1] })
            {
                widths[widest] -= 1
            }
        }
        shrink(shown.filter { columns[$0].isProse }, to: least)
        // The columns that would be left out first are also narrowed first, and those with addresses last.
        for keepsEnd in [false, true] {
            for rank in Set(columns.map(\.rank)).sorted(by: >) {
                let narrowed = shown.filter { columns[$0].rank == rank && columns[$0].keepsEnd == keepsEnd }
                shrink(narrowed, to: least)
                if !keepsEnd { shrink(narrowed, to: least.map { min($0, Self.shortest) }) }
            }
        }
        // A line that is too long would wrap and push the titles off the screen, so columns are cut even below their
        // minimum: names before times and addresses, which stand below then.
        shrink(shown.filter { !columns[$0].keepsEnd }, to: natural.map { min($0, Self.narrowest) })
        shrink(shown, to: natural.map { min($0, 1) })
        return (shown, shown.map { widths[$0] })
    }

    /// Returns lines that list several things below a row, as many on each line as fit, indented by two spaces. One that does
    /// not fit a line goes on in the next one.
    ///
    /// - Parameter isLive: Indicates whether the lines are part of a picture, in which none may be too long.
    package static func wrapped(_ items: [String], width: Int?, isLive: Bool = false) -> [String] {
        var lists: [String] = []
        for (index, item) in items.enumerated() {
            let item = index == items.count - 1 ? item : item + ","
            if let list = lists.last, width.map({ DisplayWidth.of("  \(list) \(item)") <= $0 }) ?? true {
                lists[lists.count - 1] = "\(list) \(item)"
            } else {
                lists.append(item)
            }
        }
        return lists.flatMap { WrappedText.lines($0, indent: "    ", first: "  ", width: width, isLive: isLive) }
    }
}
