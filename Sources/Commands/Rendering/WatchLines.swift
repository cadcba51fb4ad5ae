internal import Console
internal import Reports
internal import Scanning

/// A rendering of a watch as lines. A value: no clock, no I/O.
protocol WatchLines: Sendable {
    /// Returns the lines for an update, each with a line feed at its end.
    ///
    /// - Parameter time: The time at which the update was noticed.
    mutating func take(_ update: ConstellationUpdate, at time: Timestamp) -> [String]

    /// Returns the lines for the end of the first look for gateways: from now on, a paired one that has not answered is
    /// away.
    mutating func noteLooked(at time: Timestamp) -> [String]
}

extension WatchLines {
    mutating func noteLooked(at time: Timestamp) -> [String] { [] }
}

/// A rendering of services only, with a line for each change of a service.
struct ServiceLines: WatchLines {
    let format: WatchFormat

    private var feed = ServiceFeed()

    init(format: WatchFormat) {
        self.format = format
    }

    mutating func take(_ update: ConstellationUpdate, at time: Timestamp) -> [String] {
        feed.take(update).map { item in
            switch format {
            case .table: WatchLine.text(item.change, before: item.before, time: TimeText.local(time)) + "\n"
            case .ndjson: ServiceChangeReport(item.change, at: time).line
            }
        }
    }
}

/// A rendering of gateways, with a line for each change worth reporting and for each device that waits for an approval; for programs also with a line for each change
/// of a service.
struct GatewayLines: WatchLines {
    let format: WatchFormat
    private var feed: GatewayFeed
    private var services = ServiceFeed()
    private var approvals = ApprovalFeed()
    private var silent = SilentGateways()

    init(format: WatchFormat) {
        self.format = format
        self.feed = GatewayFeed(isForPeople: format == .table)
    }

    mutating func noteLooked(at time: Timestamp) -> [String] {
        silent.noteLooked()
        return awayLines(besides: [], at: time)
    }

    /// Returns a line for each gateway that has turned out to be away, but for those whose lines say so already.
    private mutating func awayLines(besides changes: [GatewayFeed.Change], at time: Timestamp) -> [String] {
        guard format == .table else { return [] }
        let told = Set(changes.compactMap { $0.saysLiveness ? $0.row?.id : nil })
        return silent.takeAway().filter { !told.contains($0.id) }
            .map { GatewayLine.gone($0, time: TimeText.local(time)) + "\n" }
    }

    mutating func take(_ update: ConstellationUpdate, at time: Timestamp) -> [String] {
        let waiting = approvals.take(update)
        silent.take(update)
        return switch format {
        case .table:
            lines(feed.take(update), at: time)
                + waiting.map { ApprovalText.line($0, at: time) + "\n" }
        case .ndjson:
            services.take(update).map { ServiceChangeReport($0.change, at: time).line }
                + feed.take(update).map { GatewayChangeReport($0, at: time).line }
                + waiting.map { ApprovalReport($0, at: time).line }
        }
    }

    private mutating func lines(_ changes: [GatewayFeed.Change], at time: Timestamp) -> [String] {
        let lines = changes.map { GatewayLine.text($0, time: TimeText.local(time), hasLooked: silent.hasLooked) + "\n" }
        return lines + awayLines(besides: changes, at: time)
    }
}

/// A rendering of sessions, with a line for each change worth reporting and for each device that waits for an approval.
struct SessionLines: WatchLines {
    let format: WatchFormat
    private var feed = SessionFeed()
    private var approvals = ApprovalFeed()

    init(format: WatchFormat) {
        self.format = format
    }

    mutating func take(_ update: ConstellationUpdate, at time: Timestamp) -> [String] {
        let sessions = feed.take(update).map { session in
            switch format {
            case .table: SessionTable.line(session, time: TimeText.local(time)) + "\n"
            case .ndjson: SessionReport(session, at: time).line
            }
        }
        let waiting = approvals.take(update).map { change in
            switch format {
            case .table: ApprovalText.line(change, at: time) + "\n"
            case .ndjson: ApprovalReport(change, at: time).line
            }
        }
        return sessions + waiting
    }
}

extension GatewayFeed.Change {
    /// Indicates whether its line says whether the gateway is there.
    fileprivate var saysLiveness: Bool {
        switch self {
        case .found, .lost, .joined: true
        case .changed(_, since: _, let aspects): aspects.contains(.liveness)
        case .problem: false
        }
    }
}
