internal import Console
internal import DNSSD
internal import Reports
internal import Scanning

/// The content of a live table of gateways. A value: no clock, no I/O.
struct GatewayTableModel {
    /// The reason why a row is gone. There is only one.
    enum Loss: Hashable, Sendable {
        case left
    }

    /// A mark that says what has happened to a row recently.
    typealias Mark = TableMark<Loss>

    private var model = LiveTableModel<GatewayID, Gateway, Loss>(markTime: ServiceTableModel.markTime)
    private var services: Set<ServiceInstance> = []

    /// Indicates whether the first look for gateways is over.
    private(set) var hasLooked = false

    /// The number of services that are present, including those that belong to no row.
    var serviceCount: Int { services.count }

    /// Applies a change of a row.
    mutating func apply(_ change: BotMapChange, now: ContinuousClock.Instant) {
        switch change {
        case .found(let row): model.found(row, row.id, now: now)
        case .changed(let row, _): show(row, now: now)
        case .lost(let row): model.lost(row, row.id, .left, now: now)
        case .joined(let row, _):
            // The other row shows its content.
            model.remove(row.id)
        case .problem: break
        }
    }

    /// Shows all rows; one that is missing has left.
    mutating func apply(_ rows: [Gateway], now: ContinuousClock.Instant) {
        let present = Set(rows.map(\.id))
        for row in model.rows.values where row.isPresent && !present.contains(row.value.id) {
            model.lost(row.value, row.value.id, .left, now: now)
        }
        for row in rows { show(row, now: now) }
    }

    private mutating func show(_ row: Gateway, now: ContinuousClock.Instant) {
        guard let known = model.rows[row.id], known.isPresent else {
            model.found(row, row.id, now: now)
            return
        }
        // A new round-trip time is not worth a mark: every answer has another one.
        if row.reportableAspects(since: known.value).isEmpty {
            model.replace(row, row.id)
        } else {
            // A gateway that stops answering is marked as changed, even while it is still marked as new.
            let hasTurned = known.value.liveness == .answering && row.liveness != .answering
            model.changed(row, row.id, staysNew: !hasTurned, now: now)
        }
    }

    /// The time at which the next mark ends; `nil` when there is no mark.
    var nextMarkEnds: ContinuousClock.Instant? { model.nextMarkEnds }

    /// Removes the marks whose time is over, and with them the rows that have left.
    ///
    /// - Returns: Whether anything looks different now.
    mutating func expire(now: ContinuousClock.Instant) -> Bool { model.expire(now: now) }

    /// Returns the mark that says what has happened to a row recently.
    func mark(of row: Gateway) -> Mark? { model.rows[row.id]?.mark }

    /// Returns a row as it is shown.
    func row(_ gateway: Gateway) -> GatewayRow { GatewayRow(gateway, hasLooked: hasLooked && gateway.isAsked) }

    /// All rows, including those that have left.
    var all: [Gateway] { model.rows.values.map(\.value) }

    /// The rows that are present.
    var present: [Gateway] { model.rows.values.filter(\.isPresent).map(\.value) }
}

extension GatewayTableModel: LiveTable {
    mutating func apply(_ update: ConstellationUpdate, now: ContinuousClock.Instant) {
        switch update {
        case .snapshot(let snapshot):
            services = Set(snapshot.services.map(\.instance))
            apply(snapshot.gateways, now: now)
        case .changes(let changes, _):
            for change in changes {
                switch change {
                case .gateway(let change): apply(change, now: now)
                case .service(.found(let service)), .service(.changed(let service, _)):
                    services.insert(service.instance)
                case .service(.lost(let service, _)): services.remove(service.instance)
                case .backend, .session: break
                }
            }
        }
    }

    mutating func noteLooked() { hasLooked = true }

    func lines(_ terminal: Terminal, _ caption: LiveTableCaption) -> [String] {
        GatewayTableView(model: self, caption: caption).lines(terminal)
    }

    func text(width: Int?, style: Style) -> String {
        let snapshot = NetworkSnapshot(rows: present, services: [])
        return GatewayTable.text(
            snapshot.gateways.map(row),
            snapshot.others.map(OtherRow.init),
            width: width,
            style: style
        )
    }
}
