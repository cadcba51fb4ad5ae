internal import Console
internal import DNSSD

/// The lines of the live table of services, for a terminal of a given size.
struct ServiceTableView {
    let model: ServiceTableModel
    let caption: LiveTableCaption

    private var style: Style { caption.style }

    /// Returns at most as many lines as the terminal has, each within its width.
    func lines(_ terminal: Terminal) -> [String] {
        // A line that fills the last cell makes some terminals wrap.
        let width = max(terminal.columns - 1, 20)
        let count = model.count == 1 ? "1 service" : "\(model.count) services"
        let summary = "\(count) · last change \(caption.lastChange) · Ctrl-C ends"
        let foot = caption.footer(summary, width: width)
        return Screen.picture(foot: foot.map(style.dim), height: terminal.rows) { table(width: width, height: $0) }
    }

    private func table(width: Int, height: Int) -> [String] {
        let rows = model.rows
        guard !rows.isEmpty else { return ["Nothing found yet."] }
        // The titles take one line, and so does the count of the services that do not fit.
        let room = height - 1
        let shown = rows.count <= room ? rows[...] : rows.prefix(max(room - 1, 0))
        let table = MarkedTable(
            columns: ScanTable.columns,
            rows: shown.map { ($0.mark, cells($0.service, $0.mark)) },
            style: style
        )
        let (titles, painted) = table.lines(width: width)
        return Screen.lines(painted, below: titles, more: rows.count - shown.count, height: height)
    }

    private func cells(_ service: DiscoveredService, _ mark: ServiceTableModel.Mark?) -> [String] {
        var cells = ScanTable.cells(ServiceRow(service))
        if case .lost(let reason) = mark { cells[ScanTable.addressColumn] = reason.text }
        return cells
    }
}
