internal import Constellation
internal import DNSSD
internal import Discovery
internal import GatewayReports
internal import Synchronization

/// Prints what a scan learns as lines of JSON: each gateway as soon as it has answered, and once more at the end
/// when more is known of it by then; each service once, as soon as it is resolved, or else at the end.
final class FindingPrinter: Sendable {
    private struct State {
        var feed = GatewayFeed()
        var reported: Set<ServiceInstance> = []
    }

    private let browser: Browser
    private let write: @Sendable (String) throws -> Void
    private let state = Mutex(State())

    init(browser: Browser, write: @escaping @Sendable (String) throws -> Void) {
        self.browser = browser
        self.write = write
    }

    /// Takes in what the browser tells.
    func take(_ change: ServiceChange) throws {
        guard change.service.resolution == .resolved else { return }
        try state.withLock { try report(change.service, &$0) }
    }

    /// Takes in what the map tells.
    func take(_ update: MapUpdate) throws {
        let rows: [Gateway]
        switch update {
        case .change(.found(let row), _), .change(.changed(let row, _), _): rows = [row]
        case .change(.lost, _), .change(.problem, _): rows = []
        case .snapshot(let snapshot): rows = snapshot.gateways
        }
        // What is no gateway by one address may be one by the next: it is told at the end.
        try state.withLock { state in
            let new = rows.filter { $0.isGateway && !state.feed.knows($0) }
            guard !new.isEmpty else { return }
            // Not all of the browser's services: a batch is told of after almost every answer.
            let findings = Findings(rows: new, services: new.flatMap(\.services).compactMap(browser.service))
            for row in new {
                for news in state.feed.take(.change(.found(row), revision: 0)) { try report(news, findings) }
            }
        }
    }

    /// Prints the rest.
    func finish(_ findings: Findings) throws {
        try state.withLock { state in
            // What nobody has asked is told at last.
            let news =
                state.feed.take(rows: findings.gateways + findings.others)
                + findings.others.filter { !$0.isDecided }.map { .found($0) }
            for news in news { try report(news, findings) }
            for service in findings.services { try report(service, &state) }
        }
    }

    private func report(_ news: GatewayFeed.News, _ findings: Findings) throws {
        let services = news.row.map(findings.services) ?? []
        try write(GatewayChangeReport(news, services: services, at: .now).line)
    }

    private func report(_ service: DiscoveredService, _ state: inout State) throws {
        guard state.reported.insert(service.instance).inserted else { return }
        try write(ServiceChangeReport(.found(service), at: .now).line)
    }
}
