package import GatewayProtocol
package import Reports

/// The history of gateways as outsiders read it.
package struct GatewayHistoryReport: ReadableReport, Hashable {
    package let history: GatewayHistory

    package init(_ history: GatewayHistory) {
        self.history = history
    }

    /// Reads a report.
    package init(_ document: JSONValue) throws(RecordingProblem) {
        history = GatewayHistory(
            since: try document.time("since"),
            until: try document.time("until"),
            // What is not known because no agent ran is among the rest.
            alive: nil,
            gateways: try document.entries("gateways") { gateway throws(RecordingProblem) in
                GatewayHistory.Gateway(
                    key: try gateway.text("pairing"),
                    name: try gateway.text("name"),
                    since: try gateway.time("watchedSince")
                )
            },
            outages: try document.entries("outages", Self.outage),
            notReady: try document.entries("notReady", Self.outage),
            transitions: try document.entries("transitions") { item throws(RecordingProblem) in
                guard let kind = Notice.Kind(rawValue: try item.text("kind")) else { throw .other("kind") }
                return GatewayHistory.Transition(
                    key: try item.text("pairing"),
                    name: try item.text("gatewayName"),
                    time: try item.time("time"),
                    kind: kind,
                    way: item["way"]?.string.flatMap(Way.init)
                )
            },
            unknown: try document.entries("unknown") { unknown throws(RecordingProblem) in
                GatewayHistory.Unknown(
                    key: unknown["pairing"]?.string,
                    began: try unknown.time("began"),
                    ended: try unknown.time("ended"),
                    reason: try unknown.text("reason")
                )
            }
        )
    }

    private static func outage(_ outage: JSONValue) throws(RecordingProblem) -> GatewayHistory.Outage {
        GatewayHistory.Outage(
            key: try outage.text("pairing"),
            name: try outage.text("gatewayName"),
            began: try outage.time("began"),
            ended: outage["ended"]?.string.flatMap(Timestamp.init),
            reason: outage["reason"]?.string,
            ways: (outage["ways"]?.array ?? []).compactMap { $0.string.flatMap(Way.init) }
        )
    }

    package var fields: [String: JSONValue] {
        [
            "since": .string(history.since.description),
            "until": .string(history.until.description),
            "gateways": .array(history.gateways.map(gateway)),
            "outages": .array(history.outages.map(\.json)),
            "notReady": .array(history.notReady.map { .object(Self.time($0)) }),
            "transitions": .array(history.transitions.map(Self.transition)),
            "unknown": .array(history.unknown.map(Self.unknown)),
        ]
    }

    private func gateway(_ gateway: GatewayHistory.Gateway) -> JSONValue {
        let uptime = history.uptime(of: gateway).map { Int(($0 * 100_000).rounded(.down)) }
        return .object(
            [
                "pairing": .string(gateway.key),
                "name": .string(gateway.name),
                "watchedSince": .string(gateway.since.description),
                "outages": .number(JSONNumber(history.outages.count { $0.key == gateway.key })),
                "uptimePercent": uptime.map { .number(JSONNumber(thousandths: $0)) } ?? .null,
            ].with(.key)
        )
    }

    fileprivate static func time(_ outage: GatewayHistory.Outage) -> [String: JSONValue] {
        [
            "pairing": .string(outage.key),
            "gatewayName": .string(outage.name),
            "began": .string(outage.began.description),
            "ended": JSONValue(outage.ended?.description),
            "durationMs": outage.ended.map {
                .number(JSONNumber($0.milliseconds - outage.began.milliseconds))
            } ?? .null,
            "reason": JSONValue(outage.reason),
        ]
        .with(.key).with(.name)
    }

    private static func transition(_ transition: GatewayHistory.Transition) -> JSONValue {
        .object(
            [
                "pairing": .string(transition.key),
                "gatewayName": .string(transition.name),
                "time": .string(transition.time.description),
                "kind": .string(transition.kind.rawValue),
                "way": JSONValue(transition.way?.rawValue),
            ].with(.key).with(.name)
        )
    }

    private static func unknown(_ unknown: GatewayHistory.Unknown) -> JSONValue {
        .object(
            [
                "pairing": JSONValue(unknown.key),
                "began": .string(unknown.began.description),
                "ended": .string(unknown.ended.description),
                "reason": .string(unknown.reason),
            ].with(.key)
        )
    }
}

extension GatewayHistory.Outage {
    /// The outage as outsiders read it.
    package var json: JSONValue {
        .object(GatewayHistoryReport.time(self).merging(["ways": JSONValue(ways.map(\.rawValue))]) { $1 })
    }
}

extension RecordingProblem {
    fileprivate static func other(_ key: String) -> RecordingProblem {
        RecordingProblem("“\(key)” of the history is to be another")
    }
}

extension JSONValue {
    fileprivate func text(_ key: String) throws(RecordingProblem) -> String {
        guard let text = self[key]?.string else { throw .other(key) }
        return text
    }

    fileprivate func time(_ key: String) throws(RecordingProblem) -> Timestamp {
        guard let time = Timestamp(try text(key)) else { throw .other(key) }
        return time
    }

    fileprivate func entries<Entry>(
        _ key: String,
        _ read: (JSONValue) throws(RecordingProblem) -> Entry
    ) throws(RecordingProblem) -> [Entry] {
        guard let list = self[key]?.array else { throw .other(key) }
        return try list.map(read)
    }
}
