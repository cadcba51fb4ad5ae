internal import Console

/// A mark that says what has happened to a row of a live table recently.
enum TableMark<Loss: Hashable & Sendable>: Hashable, Sendable {
    case new
    case changed
    case lost(Loss)

    /// The character in front of the row.
    fileprivate var symbol: String {
        switch self {
        case .new: "+"
        case .changed: "~"
        case .lost: "-"
        }
    }

    /// Returns the cell of the symbol in the colour of the mark. A row that has left is dimmed as a whole, so its cells
    /// get no colours of their own.
    fileprivate func painted(_ cell: String, _ style: Style) -> String {
        switch self {
        case .new: style.green(cell)
        case .changed: style.yellow(cell)
        case .lost: cell
        }
    }
}

/// A table on a terminal whose rows begin with their marks.
struct MarkedTable<Loss: Hashable & Sendable> {
    /// The columns after the column of the marks.
    let columns: [TextTable.Column]

    /// The marks and the cells of the rows.
    let rows: [(mark: TableMark<Loss>?, cells: [String])]

    let style: Style

    /// Returns the line with the titles, and the lines of each row.
    ///
    /// - Parameters:
    ///   - width: The available width in cells.
    ///   - paint: A closure that gets the row, the column and the text of a cell, and returns the text with its style.
    ///     It is not called for rows that have left.
    func lines(width: Int, paint: (Int, Int, String) -> String = { $2 }) -> (titles: String, rows: [[String]]) {
        let table = TextTable(
            columns: [TextTable.Column(" ", minimum: 1)] + columns,
            rows: rows.map { [$0.mark?.symbol ?? ""] + $0.cells }
        )
        let lines = table.lines(width: width, isLive: true) { row, column, text in
            if case .lost = rows[row].mark { return text }
            return column == 0 ? rows[row].mark?.painted(text, style) ?? text : paint(row, column - 1, text)
        }
        let painted = zip(rows, lines.dropFirst()).map { row, text in
            let lines = text.split(separator: "\n").map(String.init)
            if case .lost = row.mark { return lines.map(style.dim) } else { return lines }
        }
        return (style.bold(lines[0]), painted)
    }
}
