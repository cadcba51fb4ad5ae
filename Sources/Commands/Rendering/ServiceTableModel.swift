internal import Console
internal import DNSSD
internal import Scanning

/// The content of a live table of services. A value: no clock, no I/O.
struct ServiceTableModel {
    /// The time for which a mark is shown.
    static let markTime = Duration.seconds(10)

    /// A mark that says what has happened to a service recently.
    typealias Mark = TableMark<LossReason>

    private var model = LiveTableModel<ServiceInstance, DiscoveredService, LossReason>(markTime: Self.markTime)

    /// Applies a change.
    mutating func apply(_ change: ServiceChange, now: ContinuousClock.Instant) {
        let service = change.service
        switch change {
        case .found: model.found(service, service.instance, now: now)
        case .changed: model.changed(service, service.instance, now: now)
        case .lost(_, let reason): model.lost(service, service.instance, reason, now: now)
        }
    }

    /// Shows all services; one that is missing has left.
    mutating func apply(_ services: [DiscoveredService], now: ContinuousClock.Instant) {
        let present = Set(services.map(\.instance))
        for row in model.rows.values where row.isPresent && !present.contains(row.value.instance) {
            model.lost(row.value, row.value.instance, .withdrawn, now: now)
        }
        for service in services {
            let known = model.rows[service.instance].flatMap { $0.isPresent ? $0.value : nil }
            guard let known else {
                model.found(service, service.instance, now: now)
                continue
            }
            if known != service { model.changed(service, service.instance, now: now) }
        }
    }

    /// The time at which the next mark ends; `nil` when there is no mark.
    var nextMarkEnds: ContinuousClock.Instant? { model.nextMarkEnds }

    /// Removes the marks whose time is over, and with them the rows that have left.
    ///
    /// - Returns: Whether anything looks different now.
    mutating func expire(now: ContinuousClock.Instant) -> Bool { model.expire(now: now) }

    /// The services with their marks, in the same order as in a scan; services that have left keep their places.
    var rows: [(service: DiscoveredService, mark: Mark?)] {
        model.rows.values.sorted { $0.value.instance < $1.value.instance }.map { ($0.value, $0.mark) }
    }

    /// The number of services that are present.
    var count: Int { model.rows.values.count(where: \.isPresent) }

    /// The services that are present, sorted.
    var services: [DiscoveredService] {
        model.rows.values.filter(\.isPresent).map(\.value).sorted { $0.instance < $1.instance }
    }
}

extension ServiceTableModel: LiveTable {
    mutating func apply(_ update: ConstellationUpdate, now: ContinuousClock.Instant) {
        switch update {
        case .snapshot(let snapshot): apply(snapshot.services, now: now)
        case .changes(let changes, _): for case .service(let change) in changes { apply(change, now: now) }
        }
    }

    func lines(_ terminal: Terminal, _ caption: LiveTableCaption) -> [String] {
        ServiceTableView(model: self, caption: caption).lines(terminal)
    }

    func text(width: Int?, style: Style) -> String { ScanTable.text(services, width: width) }
}
