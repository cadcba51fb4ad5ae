package import Reports

/// The outages of watched gateways in a time, and what is not known of it. A value.
package struct GatewayHistory: Hashable, Sendable {
    /// The time after which an agent that wrote nothing did not run, in milliseconds: one that runs writes every minute.
    static let longestSilence = 150_000

    /// A gateway that is watched.
    package struct Gateway: Hashable, Sendable {
        package let key: String

        /// Its name, cleaned for people.
        package fileprivate(set) var name: String

        /// The time since which it is watched.
        package let since: Timestamp

        package init(key: String, name: String, since: Timestamp) {
            self.key = key
            self.name = name
            self.since = since
        }
    }

    /// A time in which a gateway did not answer.
    package struct Outage: Hashable, Sendable {
        package let key: String

        /// The name that it had then, or has now, cleaned for people.
        package fileprivate(set) var name: String

        package let began: Timestamp

        /// The end; `nil` while it lasts.
        package let ended: Timestamp?
        package let reason: String?

        /// The ways over which it answered before; empty if that is not known.
        package let ways: [Way]

        package init(
            key: String,
            name: String,
            began: Timestamp,
            ended: Timestamp?,
            reason: String?,
            ways: [Way] = []
        ) {
            self.key = key
            self.name = name
            self.began = began
            self.ended = ended
            self.reason = reason
            self.ways = ways
        }
    }

    /// Something else that has happened to a gateway: a way is lost or back, or something stands in the way of sessions.
    package struct Transition: Hashable, Sendable {
        package let key: String

        /// The name that it had then, or has now, cleaned for people.
        package fileprivate(set) var name: String

        package let time: Timestamp

        /// The kind of event, by the word of the message about it.
        package let kind: Notice.Kind

        /// The way that is lost or back.
        package let way: Way?

        package init(key: String, name: String, time: Timestamp, kind: Notice.Kind, way: Way?) {
            self.key = key
            self.name = name
            self.time = time
            self.kind = kind
            self.way = way
        }
    }

    /// A time in which nothing is known of a gateway, or of any.
    package struct Unknown: Hashable, Sendable {
        /// The key of the gateway; `nil` for all.
        package let key: String?
        package let began: Timestamp
        package let ended: Timestamp
        package let reason: String

        package init(key: String?, began: Timestamp, ended: Timestamp, reason: String) {
            self.key = key
            self.began = began
            self.ended = ended
            self.reason = reason
        }
    }

    /// The time that it is about.
    package let since: Timestamp
    package let until: Timestamp

    package private(set) var gateways: [Gateway]

    /// The outages, in the order in which they began.
    package private(set) var outages: [Outage]

    /// The times in which one answered and was not ready, in the order in which they began.
    package private(set) var notReady: [Outage]

    /// The events besides outages, in their order.
    package private(set) var transitions: [Transition]

    /// The times of which nothing is known, in the order in which they began.
    package private(set) var unknown: [Unknown]

    /// Creates a history.
    ///
    /// - Parameter alive: The time at which an agent was last known to run; `nil` if none ever did.
    package init(
        since: Timestamp,
        until: Timestamp,
        alive: Timestamp?,
        gateways: [Gateway],
        outages: [Outage],
        notReady: [Outage] = [],
        transitions: [Transition] = [],
        unknown: [Unknown]
    ) {
        self.since = since
        self.until = until
        self.gateways = gateways
        self.outages = outages
        self.notReady = notReady
        self.transitions = transitions
        self.unknown = unknown
        if let alive, until.milliseconds - alive.milliseconds > Self.longestSilence {
            self.unknown.append(Unknown(key: nil, began: alive, ended: until, reason: "no agent runs"))
        }
    }

    /// Returns the part of it that is about the gateway with a key, watched or not any more.
    package func of(key: String) -> GatewayHistory {
        var part = self
        part.gateways = gateways.filter { $0.key == key }
        part.outages = outages.filter { $0.key == key }
        part.notReady = notReady.filter { $0.key == key }
        part.transitions = transitions.filter { $0.key == key }
        part.unknown = unknown.filter { $0.key == nil || $0.key == key }
        return part
    }

    /// Returns the same with one name for each gateway: the one that it has now, in place of those that it had whenever something
    /// happened.
    ///
    /// - Parameter name: Returns the name of the gateway with a key; `nil` if it has none but that of the history.
    package func named(_ name: (String) -> String? = { _ in nil }) -> GatewayHistory {
        let watched = Dictionary(gateways.map { ($0.key, $0.name) }) { first, _ in first }
        let names = keys.reduce(into: watched) { names, key in
            if let name = name(key) { names[key] = Notice.Subject(key: key, name: name).shownName }
        }
        var history = self
        for index in gateways.indices {
            history.gateways[index].name = names[gateways[index].key] ?? gateways[index].name
        }
        for index in outages.indices { history.outages[index].name = names[outages[index].key] ?? outages[index].name }
        for index in notReady.indices {
            history.notReady[index].name = names[notReady[index].key] ?? notReady[index].name
        }
        for index in transitions.indices {
            history.transitions[index].name = names[transitions[index].key] ?? transitions[index].name
        }
        history.gateways.sort { ($0.name, $0.key) < ($1.name, $1.key) }
        return history
    }

    /// The keys of all gateways in it, watched or not any more.
    package var keys: Set<String> {
        Set(gateways.map(\.key) + (outages + notReady).map(\.key) + transitions.map(\.key))
    }

    /// Returns the share of the known time in which a gateway answered; `nil` if nothing is known.
    package func uptime(of gateway: Gateway) -> Double? {
        let start = max(since, gateway.since).milliseconds
        let (known, down) = times(of: gateway).lengths(from: start, to: until.milliseconds)
        return known > 0 ? 1 - Double(down) / Double(known) : nil
    }

    /// What a gateway did in a part of the time.
    package enum Part: Hashable, Sendable, CaseIterable {
        case answering

        /// It did not answer for some of it, however short.
        case gone

        /// Nothing is known of it, or the gateway was not watched yet.
        case unknown
    }

    /// Returns what a gateway did in each part of the time.
    ///
    /// - Parameter count: The number of parts, all of the same length.
    package func parts(of gateway: Gateway, count: Int) -> [Part] {
        let (first, length) = (since.milliseconds, until.milliseconds - since.milliseconds)
        let times = times(of: gateway)
        return (0..<max(0, count)).map { number in
            let start = max(first + length * number / count, gateway.since.milliseconds)
            let (known, down) = times.lengths(from: start, to: first + length * (number + 1) / count)
            return down > 0 ? .gone : known > 0 ? .answering : .unknown
        }
    }

    private func times(of gateway: Gateway) -> Times {
        let dark = unknown.filter { $0.key == nil || $0.key == gateway.key }.map { ($0.began, $0.ended) }
        let down = outages.filter { $0.key == gateway.key }.map { ($0.began, $0.ended ?? until) }
        return Times(dark: dark, down: down)
    }
}

/// The times in which nothing is known of a gateway, and those in which it did not answer.
private struct Times {
    let dark: [(Timestamp, Timestamp)]
    let down: [(Timestamp, Timestamp)]

    /// Returns how much of a time is known, and for how much of that the gateway did not answer, in milliseconds.
    func lengths(from: Int, to: Int) -> (known: Int, down: Int) {
        guard from < to else { return (0, 0) }
        let dark = dark.map { Self.span($0, $1, from: from, to: to) }
        let down = down.map { Self.span($0, $1, from: from, to: to) }
        let darkTime = Self.length(dark)
        // What is both down and not known counts as not known.
        return (to - from - darkTime, Self.length(dark + down) - darkTime)
    }

    private static func span(_ began: Timestamp, _ ended: Timestamp, from: Int, to: Int) -> Range<Int> {
        let start = min(max(began.milliseconds, from), to)
        return start..<min(max(ended.milliseconds, start), to)
    }

    /// The length of all of some spans, which may overlap.
    private static func length(_ spans: [Range<Int>]) -> Int {
        var (total, end) = (0, Int.min)
        for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            total += max(0, span.upperBound - max(span.lowerBound, end))
            end = max(end, span.upperBound)
        }
        return total
    }
}
