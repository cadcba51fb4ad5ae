internal import Console
internal import DNSSD

/// A scan as a table for people.
enum ScanTable {
    /// The columns of every table of services.
    static let columns = [
        TextTable.Column("NAME", minimum: 12),
        TextTable.Column("FINGERPRINT", minimum: 8, rank: 2),
        TextTable.Column("BOTS", minimum: 4, rank: 3),
        TextTable.Column("VERSION", minimum: 7, rank: 5),
        TextTable.Column("ADDRESS", minimum: 15, keepsEnd: true),
        TextTable.Column("TYPE", minimum: 10, rank: 1),
        TextTable.Column("INTERFACES", minimum: 8, rank: 4),
    ]

    /// The index of the address in `columns`.
    static let addressColumn = 4

    /// Returns the cells of one service, in the order of `columns`.
    static func cells(_ row: ServiceRow) -> [String] {
        [row.name, row.fingerprint, row.bots, row.version, row.address, row.type, row.paths]
    }

    /// Returns the table, and below it the problems with single services.
    ///
    /// - Parameter width: The width of the terminal in cells; `nil` if the output is no terminal and nothing needs to
    ///   be cut.
    static func text(_ services: [DiscoveredService], width: Int?) -> String {
        guard !services.isEmpty else { return "" }
        let rows = services.map(ServiceRow.init)
        var lines = TextTable(columns: columns, rows: rows.map(cells)).lines(width: width)
        let remarks = rows.flatMap { row in row.remarks.map { "\(row.name) (\(row.type)): \($0)" } }
        if !remarks.isEmpty { lines += [""] + remarks.flatMap { WrappedText.lines($0, first: "", width: width) } }
        return lines.map { $0 + "\n" }.joined()
    }
}
