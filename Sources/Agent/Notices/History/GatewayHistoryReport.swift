package import GatewayProtocol
internal import Reports

/// The history of gateways as outsiders read it.
package struct GatewayHistoryReport: JSONReport {
    private let history: GatewayHistory

    package init(_ history: GatewayHistory) {
        self.history = history
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
