package import Constellation
internal import DNSSD
package import GatewayProtocol

/// Updates as an agent tells them to the views of this program. Both are of the same version.
extension ConstellationUpdate {
    /// The update, without what only sessions need to know of a row.
    package var recording: JSONValue {
        switch self {
        case .snapshot(let snapshot):
            .object([
                "revision": JSONValue(snapshot.revision),
                "gateways": .array(snapshot.gateways.map(\.recording)),
                "services": .array(snapshot.services.map(\.recording)),
                "backends": .array(snapshot.backends.map(\.recording)),
                "sessions": .array(snapshot.sessions.map(\.recording)),
                "problems": .array(snapshot.missedProblems.map(\.recording)),
            ])
        case .changes(let changes, let revision):
            .object(["revision": JSONValue(revision), "changes": .array(changes.map(\.recording))])
        }
    }

    /// Reads an update. Its size is bounded by that of the text that it was read from.
    package init(recording value: JSONValue) throws(RecordingProblem) {
        let fields = try RecordedFields(value, of: "an update")
        let revision = UInt64(try fields.int("revision", in: 0...Int.max))
        func all<Value>(
            _ key: String,
            _ read: (RecordedFields) throws(RecordingProblem) -> Value
        ) throws(RecordingProblem) -> [Value] {
            guard let list = value[key]?.array else { throw fields.problem(at: key, expected: "a list") }
            return try RecordedFields.objects(list, of: "“\(key)”", read)
        }
        if fields["changes"] != nil {
            self = .changes(try all("changes", ConstellationChange.init(recording:)), revision: revision)
        } else {
            self = .snapshot(
                ConstellationSnapshot(
                    revision: revision,
                    gateways: try all("gateways", Gateway.init(recording:)),
                    services: try all("services", DiscoveredService.init(recording:)),
                    backends: try all("backends", BackendCondition.init(recording:)),
                    sessions: try all("sessions", ShownSession.init(recording:)),
                    missedProblems: try all("problems", BotMapProblem.init(recording:))
                )
            )
        }
    }
}

extension ConstellationChange {
    package var recording: JSONValue {
        switch self {
        case .gateway(.found(let row)): .object(["gatewayFound": row.recording])
        case .gateway(.changed(let row, let aspects)):
            .object(["gatewayChanged": row.recording, "aspects": JSONValue(aspects.sorted().map(\.rawValue))])
        case .gateway(.lost(let row)): .object(["gatewayLost": row.recording, "into": .null])
        case .gateway(.joined(let row, let other)): .object(["gatewayLost": row.recording, "into": other.recording])
        case .gateway(.problem(let problem)): .object(["problem": problem.recording])
        case .service(.found(let service)): .object(["serviceFound": service.recording])
        case .service(.changed(let service, let aspects)):
            .object(["serviceChanged": service.recording, "aspects": JSONValue(aspects.sorted().map(\.rawValue))])
        case .service(.lost(let service, let reason)):
            .object(["serviceLost": service.recording, "reason": .string(reason.rawValue)])
        case .backend(let condition): .object(["backend": condition.recording])
        case .session(.found(let session)): .object(["sessionFound": session.recording])
        case .session(.changed(let session)): .object(["sessionChanged": session.recording])
        case .session(.lost(let session, let loss)):
            .object(["sessionLost": session.recording, "loss": .string(loss.rawValue)])
        }
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        func row(_ key: String) throws(RecordingProblem) -> Gateway {
            try Gateway(recording: try fields.fields(key))
        }
        func service(_ key: String) throws(RecordingProblem) -> DiscoveredService {
            try DiscoveredService(recording: try fields.fields(key))
        }
        func session(_ key: String) throws(RecordingProblem) -> ShownSession {
            try ShownSession(recording: try fields.fields(key))
        }
        let subjects = [
            "gatewayFound", "gatewayChanged", "gatewayLost", "problem", "serviceFound", "serviceChanged",
            "serviceLost", "backend", "sessionFound", "sessionChanged", "sessionLost",
        ]
        switch subjects.first(where: { fields[$0] != nil }) {
        case "gatewayFound": self = .gateway(.found(try row("gatewayFound")))
        case "gatewayChanged":
            self = .gateway(.changed(try row("gatewayChanged"), try fields.words("aspects", GatewayAspect.self)))
        case "gatewayLost":
            let row = try row("gatewayLost")
            let other = fields["into"] == nil ? nil : try GatewayID(recording: try fields.fields("into"))
            self = .gateway(other.map { .joined(row, into: $0) } ?? .lost(row))
        case "problem": self = .gateway(.problem(try BotMapProblem(recording: try fields.fields("problem"))))
        case "serviceFound": self = .service(.found(try service("serviceFound")))
        case "serviceChanged":
            self = .service(.changed(try service("serviceChanged"), try fields.words("aspects", ServiceAspect.self)))
        case "serviceLost":
            self = .service(.lost(try service("serviceLost"), try fields.rawValue("reason", LossReason.self)))
        case "backend": self = .backend(try BackendCondition(recording: try fields.fields("backend")))
        case "sessionFound": self = .session(.found(try session("sessionFound")))
        case "sessionChanged": self = .session(.changed(try session("sessionChanged")))
        case "sessionLost":
            self = .session(.lost(try session("sessionLost"), try fields.rawValue("loss", SessionLoss.self)))
        default: throw RecordingProblem(.wrongValue, "a change is to be of a kind that this version knows")
        }
    }
}

extension BotMapProblem {
    var recording: JSONValue {
        switch self {
        case .refusedTransition(let bot, let from, let to):
            .object([
                "kind": "refusedTransition", "bot": bot.recording, "from": .string(from.rawValue),
                "to": .string(to.rawValue),
            ])
        case .unprovedClaimant(let bot): .object(["kind": "unprovedClaimant", "bot": bot.recording])
        case .tooManyGateways(let candidate, let limit):
            .object(["kind": "tooManyGateways", "lead": candidate.recording, "limit": JSONValue(limit)])
        case .tooManyCandidates(let endpoint, let limit):
            .object(["kind": "tooManyCandidates", "endpoint": endpoint.recording, "limit": JSONValue(limit)])
        case .tooManyPairings(let bot, let limit):
            .object(["kind": "tooManyPairings", "bot": bot.recording, "limit": JSONValue(limit)])
        }
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        func bot() throws(RecordingProblem) -> BotKey { try BotKey(recording: try fields.fields("bot")) }
        func limit() throws(RecordingProblem) -> Int { try fields.int("limit", in: 0...Int.max) }
        switch try fields.text("kind") {
        case "refusedTransition":
            self = .refusedTransition(
                try bot(),
                from: try fields.rawValue("from", BotState.self),
                to: try fields.rawValue("to", BotState.self)
            )
        case "unprovedClaimant": self = .unprovedClaimant(try bot())
        case "tooManyGateways":
            self = .tooManyGateways(try GatewayCandidate(recording: try fields.fields("lead")), limit: try limit())
        case "tooManyCandidates":
            self = .tooManyCandidates(try Endpoint(recording: try fields.fields("endpoint")), limit: try limit())
        case "tooManyPairings": self = .tooManyPairings(try bot(), limit: try limit())
        default: throw fields.problem(at: "kind", expected: "a word that this version knows")
        }
    }
}
