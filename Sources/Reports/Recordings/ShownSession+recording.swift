internal import Constellation
internal import GatewayProtocol

extension ShownSession {
    private static let remedies: [Remedy: String] = [
        .connect: "connect", .acceptLeaf: "acceptLeaf", .acceptAddress: "acceptAddress",
        .acceptNode: "acceptNode", .acceptTunnel: "acceptTunnel", .pairAnew: "pairAnew",
        .diagnose: "diagnose",
    ]

    var recording: JSONValue {
        var fields: [String: JSONValue] = [
            "id": .string(id),
            "pairing": .string(pairing),
            "gateway": JSONValue(recording: gateway),
            "name": JSONValue(recording: name),
            "bots": JSONValue(recording: bots.lazy.map(\.recording)),
            "state": .string(state.rawValue),
            "isElsewhere": .bool(isElsewhere),
            // Each process has a clock of its own.
            "age": JSONValue(recording: .now - since),
        ]
        fields["reason"] = reason.map { JSONValue(recording: $0) }
        fields["remedy"] = remedy.flatMap { Self.remedies[$0] }.map(JSONValue.string)
        fields["path"] = path.map { JSONValue(recording: $0) }
        fields["latency"] = latency.map { JSONValue(recording: $0) }
        fields["requests"] = requests.map { JSONValue(recording: $0.lazy.map(\.recording)) }
        return .object(fields)
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        let word = try fields.optionalText("remedy")
        self.init(
            id: try fields.text("id"),
            pairing: try fields.text("pairing"),
            gateway: try fields.text("gateway"),
            name: try fields.text("name"),
            bots: try fields.objects("bots", Bot.init(recording:)),
            state: try fields.rawValue("state", State.self),
            reason: try fields.optionalText("reason"),
            remedy: Self.remedies.first { $0.value == word }?.key,
            path: try fields.optionalText("path"),
            isElsewhere: try fields.bool("isElsewhere"),
            latency: fields["latency"] == nil ? nil : try fields.duration("latency"),
            since: .now - (try fields.duration("age"))
        )
        requests = fields["requests"] == nil ? nil : try fields.list("requests").compactMap { DeviceRequest(json: $0) }
    }
}

extension ShownSession.Bot {
    var recording: JSONValue {
        var fields: [String: JSONValue] = [
            "id": .string(id.text), "name": JSONValue(recording: name), "isArchived": .bool(isArchived),
        ]
        fields["emoji"] = emoji.map { JSONValue(recording: $0) }
        return .object(fields)
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        self.init(
            id: try fields.bot("id"),
            name: try fields.text("name"),
            emoji: try fields.optionalText("emoji"),
            isArchived: try fields.bool("isArchived")
        )
    }
}
