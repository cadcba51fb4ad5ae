internal import Constellation
internal import DNSSD
internal import GatewayReports

/// The content of a live table of gateways. A value: no clock, no I/O.
struct GatewayTableModel {
    /// The reason why a row is gone: there is only one.
    enum Loss: Hashable, Sendable {
        case left
    }

    /// A mark that says what has happened to a row recently.
    typealias Mark = LiveTableModel<GatewayID, Gateway, Loss>.Mark

    private var model = LiveTableModel<GatewayID, Gateway, Loss>(markTime: ServiceTableModel.markTime)
    private var services: Set<ServiceInstance> = []

    /// The number of services that are present, those included of which no row tells.
    var serviceCount: Int { services.count }

    /// Folds an update in.
    mutating func apply(_ update: MapUpdate, now: ContinuousClock.Instant) {
        switch update {
        case .change(.found(let row), _):
            model.found(row, row.id, now: now)
        case .change(.changed(let row, _), _):
            show(row, now: now)
        case .change(.lost(let row, nil), _):
            model.lost(row, row.id, .left, now: now)
        case .change(.lost(let row, .some), _):
            // Another row shows what it showed.
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
        // Each answer takes another time.
        if row.news(since: known.value).isEmpty {
            model.replace(row, row.id)
        } else {
            // That it does not answer any more is the news, and not that it has come.
            let hasTurned = known.value.liveness == .answering && row.liveness != .answering
            model.changed(row, row.id, staysNew: !hasTurned, now: now)
        }
    }

    /// The time at which the next mark ends; `nil` when there is no mark.
    var nextMarkEnds: ContinuousClock.Instant? { model.nextMarkEnds }

    /// Takes off the marks whose time is over, and what has left with them.
    ///
    /// - Returns: Whether anything looks different now.
    mutating func expire(now: ContinuousClock.Instant) -> Bool { model.expire(now: now) }

    /// Returns the mark that says what has happened to a row recently.
    func mark(of row: Gateway) -> Mark? { model.rows[row.id]?.mark }

    /// The rows, those that have left included.
    var all: [Gateway] { model.rows.values.map(\.value) }

    /// Those that are present.
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
        GatewayTable.text(Findings(rows: present, services: []), width: width, style: style)
    }
}
