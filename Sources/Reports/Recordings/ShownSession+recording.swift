internal import GatewayProtocol
internal import Scanning

extension ShownSession: RecordedObject {
    var recording: JSONValue {
        JSONValue(recording: [
            "id": id, "pairing": pairing, "gateway": gateway, "name": name, "bots": bots, "state": state,
            "isElsewhere": isElsewhere, "reason": reason, "remedy": remedy, "path": path, "latency": latency,
            "requests": requests?.map(\.recording),
            // Each process has a clock of its own.
            "age": ContinuousClock.now - since,
        ])
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        let age: Duration = try fields.value("age")
        try self.init(
            id: fields.value("id"),
            pairing: fields.value("pairing"),
            gateway: fields.value("gateway"),
            name: fields.value("name"),
            bots: fields.value("bots"),
            state: fields.value("state"),
            reason: fields.optional("reason"),
            remedy: fields.optional("remedy"),
            path: fields.optional("path"),
            isElsewhere: fields.value("isElsewhere"),
            latency: fields.optional("latency"),
            since: .now - age
        )
        let requests: [JSONValue]? = try fields.optional("requests")
        self.requests = requests?.compactMap { DeviceRequest(json: $0) }
    }
}

extension ShownSession.Bot: RecordedObject {
    var recording: JSONValue {
        JSONValue(recording: ["id": id, "name": name, "emoji": emoji, "isArchived": isArchived])
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        try self.init(
            id: fields.value("id"),
            name: fields.value("name"),
            emoji: fields.optional("emoji"),
            isArchived: fields.value("isArchived")
        )
    }
}
