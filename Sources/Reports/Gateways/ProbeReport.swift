internal import DNSSD
package import GatewayProtocol

/// A gateway probe: what was found behind an endpoint, and each step that led there.
package struct ProbeReport: JSONReport {
    private let report: GatewayProbeReport

    /// Creates the report of a gateway probe.
    package init(_ report: GatewayProbeReport) {
        self.report = report
    }

    package var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "dialect": JSONValue(report.verdict.dialect?.rawValue),
            "summary": .string(report.verdict.summary),
            "endpoint": JSONValue(report.path?.endpoint.description),
            "leafSha256": JSONValue(report.path?.leaf?.description),
            "elapsedMs": JSONValue(milliseconds: report.elapsed),
            "steps": .array(report.steps.map(Self.step)),
            "gateway": .null, "evidence": .null, "firstBytes": .null,
        ]
        switch report.verdict {
        case .optaplus(let payload): fields["gateway"] = Self.gateway(payload)
        case .openClaw(let gateway): fields["evidence"] = .string(gateway.evidence.rawValue)
        case .other(let answer): fields["firstBytes"] = JSONValue(bytes: answer.firstBytes)
        case .bridge, .openAgents, .clawline, .nothing: break
        }
        return fields
    }

    private static func step(_ step: GatewayProbeStep) -> JSONValue {
        .object([
            "step": .string(step.kind.rawValue),
            "endpoint": .string(step.endpoint.description),
            "question": .string(step.question),
            "result": .string(step.result.text),
            "elapsedMs": JSONValue(milliseconds: step.elapsed),
            "succeeded": .bool(step.succeeded),
        ])
    }

    /// Returns the details that a gateway reports about itself. Optional details that it does not report are left out.
    private static func gateway(_ payload: DiscoverPayload) -> JSONValue {
        var fields: [String: JSONValue] = [
            "bots": .array(payload.bots.map(bot)), "botCount": JSONValue(payload.botCount),
        ]
        fields["fingerprint"] = payload.fingerprint.map { JSONValue(bytes: $0.bytes) }
        fields["name"] = payload.name.map(JSONValue.string)
        fields["pairingRequired"] = payload.pairingRequired.map(JSONValue.bool)
        return .object(fields)
    }

    private static func bot(_ bot: BotDescription) -> JSONValue {
        var fields: [String: JSONValue] = ["id": .string(bot.id.text), "name": .string(bot.name)]
        fields["emoji"] = bot.emoji.map(JSONValue.string)
        fields["status"] = bot.status.map(JSONValue.string)
        return .object(fields)
    }
}
