internal import DNSSD
package import GatewayProtocol
package import Scanning

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
        if fields["changes"] != nil {
            self = try .changes(fields.all("changes"), revision: fields.value("revision"))
        } else {
            self = try .snapshot(
                ConstellationSnapshot(
                    revision: fields.value("revision"),
                    gateways: fields.all("gateways"),
                    services: fields.all("services"),
                    backends: fields.all("backends"),
                    sessions: fields.all("sessions"),
                    missedProblems: fields.all("problems")
                )
            )
        }
    }
}

extension ConstellationChange: RecordedObject {
    package var recording: JSONValue {
        switch self {
        case .gateway(.found(let row)): JSONValue(recording: ["gatewayFound": row])
        case .gateway(.changed(let row, let aspects)):
            JSONValue(recording: ["gatewayChanged": row, "aspects": aspects])
        case .gateway(.lost(let row)): JSONValue(recording: ["gatewayLost": row, "into": JSONValue.null])
        case .gateway(.joined(let row, let other)): JSONValue(recording: ["gatewayLost": row, "into": other])
        case .gateway(.problem(let problem)): JSONValue(recording: ["problem": problem])
        case .service(.found(let service)): JSONValue(recording: ["serviceFound": service])
        case .service(.changed(let service, let aspects)):
            JSONValue(recording: ["serviceChanged": service, "aspects": aspects])
        case .service(.lost(let service, let reason)):
            JSONValue(recording: ["serviceLost": service, "reason": reason])
        case .backend(let condition): JSONValue(recording: ["backend": condition])
        case .session(.found(let session)): JSONValue(recording: ["sessionFound": session])
        case .session(.changed(let session)): JSONValue(recording: ["sessionChanged": session])
        case .session(.lost(let session, let loss)): JSONValue(recording: ["sessionLost": session, "loss": loss])
        }
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        let subjects = [
            "gatewayFound", "gatewayChanged", "gatewayLost", "problem", "serviceFound", "serviceChanged",
            "serviceLost", "backend", "sessionFound", "sessionChanged", "sessionLost",
        ]
        guard let key = subjects.first(where: { fields[$0] != nil }) else {
            throw RecordingProblem("a change is to be of a kind that this version knows")
        }
        switch key {
        case "gatewayFound": self = try .gateway(.found(fields.value(key)))
        case "gatewayChanged": self = try .gateway(.changed(fields.value(key), fields.value("aspects")))
        case "gatewayLost":
            let (row, other): (Gateway, GatewayID?) = try (fields.value(key), fields.optional("into"))
            self = .gateway(other.map { .joined(row, into: $0) } ?? .lost(row))
        case "problem": self = try .gateway(.problem(fields.value(key)))
        case "serviceFound": self = try .service(.found(fields.value(key)))
        case "serviceChanged": self = try .service(.changed(fields.value(key), fields.value("aspects")))
        case "serviceLost": self = try .service(.lost(fields.value(key), fields.value("reason")))
        case "backend": self = try .backend(fields.value(key))
        case "sessionFound": self = try .session(.found(fields.value(key)))
        case "sessionChanged": self = try .session(.changed(fields.value(key)))
        default: self = try .session(.lost(fields.value(key), fields.value("loss")))
        }
    }
}

extension BotMapProblem: RecordedObject {
    var recording: JSONValue {
        switch kind {
        case .refusedTransition(let bot, let from, let to):
            JSONValue(recording: ["kind": "refusedTransition", "bot": bot, "from": from, "to": to])
        case .unprovedClaimant(let bot): JSONValue(recording: ["kind": "unprovedClaimant", "bot": bot])
        case .tooManyGateways(let candidate, let limit):
            JSONValue(recording: ["kind": "tooManyGateways", "lead": candidate, "limit": limit])
        case .tooManyCandidates(let endpoint, let limit):
            JSONValue(recording: ["kind": "tooManyCandidates", "endpoint": endpoint, "limit": limit])
        case .tooManyPairings(let bot, let limit):
            JSONValue(recording: ["kind": "tooManyPairings", "bot": bot, "limit": limit])
        }
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        let kind: String = try fields.value("kind")
        switch kind {
        case "refusedTransition":
            self = try .refusedTransition(fields.value("bot"), from: fields.value("from"), to: fields.value("to"))
        case "unprovedClaimant": self = try .unprovedClaimant(fields.value("bot"))
        case "tooManyGateways": self = try .tooManyGateways(fields.value("lead"), limit: fields.value("limit"))
        case "tooManyCandidates": self = try .tooManyCandidates(fields.value("endpoint"), limit: fields.value("limit"))
        case "tooManyPairings": self = try .tooManyPairings(fields.value("bot"), limit: fields.value("limit"))
        default: throw fields.unknownWord(at: "kind")
        }
    }
}
