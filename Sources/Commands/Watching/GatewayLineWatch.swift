internal import Constellation
internal import DNSSD
internal import Discovery
internal import GatewayReports
internal import Synchronization

/// A watch of gateways that prints one line for each change.
final class GatewayLineWatch: Sendable {
    private struct State {
        var feed: GatewayFeed
        var news = BackendNews()
        var services: [ServiceInstance: DiscoveredService] = [:]
    }

    private let source: any WatchSource
    private let format: WatchFormat
    private let write: @Sendable (String) throws -> Void

    /// Held while printing, so that lines come in the order of what they tell.
    private let state: Mutex<State>

    init(source: any WatchSource, format: WatchFormat, write: @escaping @Sendable (String) throws -> Void) {
        self.source = source
        self.format = format
        self.write = write
        self.state = Mutex(State(feed: GatewayFeed(isForPeople: format == .table)))
    }

    /// Prints until the user has enough, or nothing more will come.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await Signals.waitForEnd() }
            group.addTask { try await self.source.run { try self.show($0, at: $1) } }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }

    private func show(_ input: WatchInput, at time: Timestamp) throws {
        try state.withLock { state in
            switch input {
            case .service(let change):
                switch change {
                case .found(let service), .changed(let service, _): state.services[service.instance] = service
                case .lost(let service, _): state.services[service.instance] = nil
                }
                if format == .ndjson { try write(ServiceChangeReport(change, at: time).line) }
            case .map(let update):
                for news in state.feed.take(update) { try write(text(news, state.services, time)) }
            case .condition(let condition):
                let source = SightingSource(rawValue: source.name)
                for item in state.news.take(status: condition.status, warnings: condition.warnings, source: source) {
                    switch item {
                    case .warning(let text): Notes.warning(text)
                    case .note(let text): Notes.note(text)
                    }
                }
            }
        }
    }

    private func text(
        _ news: GatewayFeed.News,
        _ services: [ServiceInstance: DiscoveredService],
        _ time: Timestamp
    ) -> String {
        let own = (news.row?.services ?? []).compactMap { services[$0] }
        switch format {
        case .table: return GatewayLine.text(news, services: own, time: TimeText.local(time)) + "\n"
        case .ndjson: return GatewayChangeReport(news, services: own, at: time).line
        }
    }
}
