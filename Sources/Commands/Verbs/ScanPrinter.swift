internal import DNSSD
internal import Reports
internal import Scanning
internal import Synchronization

/// A printer of the findings of a scan as lines of JSON, some of them at once and the rest at the end.
protocol ScanPrinter: Sendable {
    /// Takes in an update.
    func take(_ update: ConstellationUpdate) throws

    /// Prints the rest.
    func finish(_ snapshot: NetworkSnapshot) throws
}

/// A printer of each service once: as soon as it is resolved, otherwise at the end.
final class ServicePrinter: ScanPrinter {
    private let write: @Sendable (String) throws -> Void
    private let printed = Mutex<Set<ServiceInstance>>([])

    init(write: @escaping @Sendable (String) throws -> Void) {
        self.write = write
    }

    func take(_ update: ConstellationUpdate) throws {
        for service in update.present where service.resolution == .resolved { try printOnce(service) }
    }

    func finish(_ snapshot: NetworkSnapshot) throws {
        for service in snapshot.services { try printOnce(service) }
    }

    private func printOnce(_ service: DiscoveredService) throws {
        guard printed.withLock({ $0.insert(service.instance).inserted }) else { return }
        try write(ServiceReport(service).line)
    }
}

/// A printer of each gateway as soon as it has answered, and once more at the end if more is known about it by then;
/// and of each service once, as soon as it is resolved, otherwise at the end.
final class GatewayPrinter: ScanPrinter {
    private struct State {
        var feed = GatewayFeed()
        var reported: Set<ServiceInstance> = []
    }

    private let write: @Sendable (String) throws -> Void
    private let state = Mutex(State())

    init(write: @escaping @Sendable (String) throws -> Void) {
        self.write = write
    }

    func take(_ update: ConstellationUpdate) throws {
        try state.withLock { state in
            for service in update.present where service.resolution == .resolved { try report(service, &state) }
            // A row that is no gateway at one address may turn out to be one at the next, so other things are printed at
            // the end.
            for row in update.rows where row.isGateway && !state.feed.hasReported(row) {
                for change in state.feed.take(.change(.found(row), revision: 0)) { try report(change) }
            }
        }
    }

    func finish(_ snapshot: NetworkSnapshot) throws {
        try state.withLock { state in
            // Rows that were not asked are printed now, because nothing more will become known about them.
            let changes =
                state.feed.take(rows: snapshot.gateways + snapshot.others)
                + snapshot.others.filter { !$0.isDecided }.map { .found($0) }
            for change in changes { try report(change) }
            for service in snapshot.services { try report(service, &state) }
        }
    }

    private func report(_ change: GatewayFeed.Change) throws { try write(GatewayChangeReport(change, at: .now).line) }

    private func report(_ service: DiscoveredService, _ state: inout State) throws {
        guard state.reported.insert(service.instance).inserted else { return }
        try write(ServiceChangeReport(.found(service), at: .now).line)
    }
}

extension ConstellationUpdate {
    /// The services in it that are present.
    fileprivate var present: [DiscoveredService] {
        switch self {
        case .snapshot(let snapshot): snapshot.services
        case .changes(let changes, _):
            changes.compactMap { change in
                switch change {
                case .service(.found(let service)), .service(.changed(let service, _)): service
                case .service(.lost), .gateway, .backend, .session: nil
                }
            }
        }
    }

    /// The rows in it that are present.
    fileprivate var rows: [Gateway] {
        switch self {
        case .snapshot(let snapshot): snapshot.gateways
        case .changes(let changes, _):
            changes.compactMap { change in
                switch change {
                case .gateway(.found(let row)), .gateway(.changed(let row, _)): row
                case .gateway(.lost), .gateway(.joined), .gateway(.problem), .service, .backend, .session: nil
                }
            }
        }
    }
}
