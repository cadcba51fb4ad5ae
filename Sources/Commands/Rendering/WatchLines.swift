internal import Constellation
internal import DNSSD
internal import GatewayReports

/// A rendering of a watch as lines. A value: no clock, no I/O.
protocol WatchLines: Sendable {
    /// Returns the lines for an update, each with a line feed at its end.
    ///
    /// - Parameter time: The time at which the update was noticed.
    mutating func take(_ input: WatchInput, at time: Timestamp) -> [String]
}

/// A rendering of services only, with a line for each change of a service.
struct ServiceLines: WatchLines {
    let format: WatchFormat

    /// The last state of each service. Only lines for people need it, to show how a service has changed.
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

/// A rendering of gateways, with a line for each change worth reporting; for programs also with a line for each change
/// of a service.
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
            return feed.take(update).map { change in
                switch format {
                case .table: GatewayLine.text(change, time: TimeText.local(time)) + "\n"
                case .ndjson: GatewayChangeReport(change, at: time).line
                }
            }
        case .condition:
            return []
        }
    }
}
