internal import Constellation
internal import DNSSD
internal import GatewayReports

/// A rendering of a watch as lines. A value: no clock, no I/O.
protocol WatchLines: Sendable {
    /// Returns the lines for what is new, each with its end.
    ///
    /// - Parameter time: The time at which it was learned.
    mutating func take(_ input: WatchInput, at time: Timestamp) -> [String]
}

/// The services alone, each change of one of them as a line.
struct ServiceLines: WatchLines {
    let format: WatchFormat

    /// The services as they were: what a service was before says what is new in a line for people, and in nothing else.
    private var known: [ServiceInstance: DiscoveredService] = [:]

    init(format: WatchFormat) {
        self.format = format
    }

    mutating func take(_ input: WatchInput, at time: Timestamp) -> [String] {
        guard case .service(let change) = input else { return [] }
        switch format {
        case .table:
            let service = change.service
            defer {
                switch change {
                case .found, .changed: known[service.instance] = service
                case .lost: known[service.instance] = nil
                }
            }
            return [WatchLine.text(change, before: known[service.instance], time: TimeText.local(time)) + "\n"]
        case .ndjson:
            return [ServiceChangeReport(change, at: time).line]
        }
    }
}

/// The gateways, with the news of each as a line; for programs the services beside them.
struct GatewayLines: WatchLines {
    let format: WatchFormat
    private var feed: GatewayFeed

    init(format: WatchFormat) {
        self.format = format
        self.feed = GatewayFeed(isForPeople: format == .table)
    }

    mutating func take(_ input: WatchInput, at time: Timestamp) -> [String] {
        switch input {
        case .service(let change):
            return format == .ndjson ? [ServiceChangeReport(change, at: time).line] : []
        case .map(let update):
            return feed.take(update).map { news in
                switch format {
                case .table: GatewayLine.text(news, time: TimeText.local(time)) + "\n"
                case .ndjson: GatewayChangeReport(news, at: time).line
                }
            }
        case .condition:
            return []
        }
    }
}
