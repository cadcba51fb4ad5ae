internal import Console
internal import Reports

/// The lines of the live table of gateways, for a terminal of a given size.
struct GatewayTableView {
    let model: GatewayTableModel
    let caption: LiveTableCaption

    private var style: Style { caption.style }

    /// Returns at most as many lines as the terminal has, each within its width.
    func lines(_ terminal: Terminal) -> [String] {
        // A line that fills the last cell makes some terminals wrap.
        let width = max(terminal.columns - 1, 20)
        let foot = caption.footer(summary, width: width)
        return Screen.picture(foot: foot.map(style.dim), height: terminal.rows) { tables(width: width, height: $0) }
    }

    private func tables(width: Int, height: Int) -> [String] {
        let snapshot = NetworkSnapshot(rows: model.all, services: [])
        let blocks = gateways(snapshot, width: width) + others(snapshot, width: width)
        guard !blocks.isEmpty else { return ["Nothing found yet."] }
        return Screen.lines(blocks, height: height)
    }

    /// Returns the lines of each gateway; those of the first one begin with the titles.
    private func gateways(_ snapshot: NetworkSnapshot, width: Int) -> [[String]] {
        let rows = snapshot.gateways.map(model.row)
        let marks = snapshot.gateways.map { model.mark(of: $0) }
        let cells = rows.map(GatewayTable.cells)
        return blocks(GatewayTable.columns, cells, marks, width: width) { row, column, text in
            column == GatewayTable.stateColumn ? GatewayTable.styled(text, rows[row], style) : text
        } details: { index in
            GatewayTable.details(rows[index], width: width, isLive: true, style: style)
        }
    }

    private func others(_ snapshot: NetworkSnapshot, width: Int) -> [[String]] {
        let marks = snapshot.others.map { model.mark(of: $0) }
        let cells = snapshot.others.map { GatewayTable.cells(OtherRow($0)) }
        var blocks = blocks(GatewayTable.otherColumns, cells, marks, width: width) {
            $2
        } details: { _ in
            []
        }
        if !blocks.isEmpty, !snapshot.gateways.isEmpty { blocks[0].insert("", at: 0) }
        return blocks
    }

    private func blocks(
        _ columns: [TextTable.Column],
        _ cells: [[String]],
        _ marks: [GatewayTableModel.Mark?],
        width: Int,
        paint: (Int, Int, String) -> String,
        details: (Int) -> [String]
    ) -> [[String]] {
        let table = MarkedTable(columns: columns, rows: zip(marks, cells).map { ($0, $1) }, style: style)
        let (titles, lines) = table.lines(width: width, paint: paint)
        var blocks = lines.enumerated().map { $1 + details($0) }
        if !blocks.isEmpty { blocks[0].insert(titles, at: 0) }
        return blocks
    }

    private var summary: String {
        let snapshot = NetworkSnapshot(rows: model.present, services: [])
        let answering = snapshot.answering == 1 ? "1 gateway answers" : "\(snapshot.answering) gateways answer"
        let suspect = snapshot.suspect == 0 ? "" : ", \(snapshot.suspect) suspect"
        let count = model.serviceCount == 1 ? "1 service" : "\(model.serviceCount) services"
        return "\(answering)\(suspect), \(count) · changed \(caption.lastChange) · Ctrl-C ends"
    }
}
