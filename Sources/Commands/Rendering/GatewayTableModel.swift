internal import Constellation
internal import DNSSD
internal import GatewayReports

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

    /// The number of services that are present, including those that belong to no row.
    var serviceCount: Int { services.count }

    /// Applies an update.
    mutating func apply(_ update: MapUpdate, now: ContinuousClock.Instant) {
        switch update {
        case .change(.found(let row), _):
            model.found(row, row.id, now: now)
        case .change(.changed(let row, _), _):
            show(row, now: now)
        case .change(.lost(let row, nil), _):
            model.lost(row, row.id, .left, now: now)
        case .change(.lost(let row, .some), _):
            // The row has been merged into another one, which shows its content.
            model.remove(row.id)
        case .change(.problem, _):
            break
        case .snapshot(let snapshot):
            let present = Set(snapshot.gateways.map(\.id))
            for row in model.rows.values where row.isPresent && !present.contains(row.value.id) {
                model.lost(row.value, row.value.id, .left, now: now)
            }
            for row in snapshot.gateways { show(row, now: now) }
        }
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

    /// All rows, including those that have left.
    var all: [Gateway] { model.rows.values.map(\.value) }

    /// The rows that are present.
    var present: [Gateway] { model.rows.values.filter(\.isPresent).map(\.value) }
}

extension GatewayTableModel: LiveTable {
    mutating func apply(_ input: WatchInput, now: ContinuousClock.Instant) {
        switch input {
        case .map(let update): apply(update, now: now)
        case .service(.found(let service)), .service(.changed(let service, _)): services.insert(service.instance)
        case .service(.lost(let service, _)): services.remove(service.instance)
        case .condition: break
        }
    }

    func lines(_ terminal: Terminal, _ caption: LiveTableCaption) -> [String] {
        GatewayTableView(model: self, caption: caption).lines(terminal)
    }

    func text(width: Int?, style: Style) -> String {
        GatewayTable.text(NetworkSnapshot(rows: present, services: []), width: width, style: style)
    }
}
