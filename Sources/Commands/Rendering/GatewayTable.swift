internal import Console
internal import Reports
internal import Scanning

/// The table of gateways with their bots for people, and below it the table of other things.
enum GatewayTable {
    /// The columns of every table of gateways.
    static let columns = [
        TextTable.Column("GATEWAY", minimum: 12),
        TextTable.Column("STATE", minimum: 9),
        TextTable.Column("TIME", minimum: 8, rank: 2, keepsEnd: true),
        TextTable.Column("SPEAKS", minimum: 10, rank: 1),
        TextTable.Column("ADDRESS", minimum: 15, keepsEnd: true),
        TextTable.Column("FINGERPRINT", minimum: 8, rank: 3),
    ]

    /// The index of the state in `columns`.
    static let stateColumn = 1

    /// The columns of every table of other things.
    static let otherColumns = [
        TextTable.Column("OTHER THINGS", minimum: 12),
        TextTable.Column("ADDRESS", minimum: 15, rank: 1, keepsEnd: true),
        TextTable.Column("TYPE", minimum: 10, rank: 2),
        TextTable.Column("WHY IT IS NO GATEWAY", minimum: 20, isProse: true),
    ]

    /// Returns the cells of one gateway, in the order of `columns`.
    static func cells(_ row: GatewayRow) -> [String] {
        [row.name, row.state, row.time, row.dialect, row.address, row.fingerprint]
    }

    /// Returns the cells of one other thing, in the order of `otherColumns`.
    static func cells(_ row: OtherRow) -> [String] {
        [row.name, row.address, row.type, row.reason]
    }

    /// Returns the tables.
    ///
    /// - Parameter width: The width of the terminal in cells; `nil` if the output is no terminal and nothing needs to
    ///   be cut.
    static func text(_ snapshot: NetworkSnapshot, width: Int?, style: Style = Style(isOn: false)) -> String {
        let gateways = snapshot.gateways.map { GatewayRow($0, hasLooked: true) }
        return text(gateways, snapshot.others.map(OtherRow.init), width: width, style: style)
    }

    /// Returns the tables with these rows.
    static func text(_ gateways: [GatewayRow], _ others: [OtherRow], width: Int?, style: Style) -> String {
        var lines: [String] = []
        if !gateways.isEmpty {
            let table = TextTable(columns: columns, rows: gateways.map(cells)).lines(width: width)
            lines.append(style.bold(table[0]))
            // By its index: a zip of the two would have its types made anew at each start.
            for (index, row) in gateways.enumerated() {
                lines.append(styled(table[index + 1], row, style))
                lines += details(row, width: width, style: style)
            }
        }
        if !others.isEmpty {
            if !lines.isEmpty { lines.append("") }
            var table = TextTable(columns: otherColumns, rows: others.map(cells)).lines(width: width)
            table[0] = style.bold(table[0])
            lines += table
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Returns the lines below a gateway: its bots, and the remarks about it.
    ///
    /// - Parameter isLive: Indicates whether the lines are part of a picture, in which none may be too long.
    static func details(_ row: GatewayRow, width: Int?, isLive: Bool = false, style: Style) -> [String] {
        let bots = TextTable.wrapped(row.bots, width: width, isLive: isLive)
        let remarks = row.remarks.flatMap { remark in
            WrappedText.lines(remark, indent: "    ", first: "  ! ", width: width, isLive: isLive).map(style.yellow)
        }
        return bots + remarks
    }

    /// Returns a text in the colour for the liveness of its row.
    static func styled(_ text: String, _ row: GatewayRow, _ style: Style) -> String {
        switch row.liveness {
        case .answering: style.green(text)
        case .suspect: style.yellow(text)
        case .gone, nil: style.dim(text)
        }
    }
}
