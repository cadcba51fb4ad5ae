internal import Constellation
internal import DNSSD
internal import GatewayProtocol
internal import Trust

extension GatewayCandidate {
    var recording: JSONValue {
        switch self {
        case .service(let instance): .object(["service": instance.recording])
        case .endpoint(let endpoint): .object(["endpoint": endpoint.recording])
        }
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        if fields["service"] != nil {
            self = .service(try ServiceInstance(recording: try fields.fields("service")))
        } else {
            self = .endpoint(try Endpoint(recording: try fields.fields("endpoint")))
        }
    }
}

extension GatewayID {
    var recording: JSONValue {
        switch self {
        case .fingerprint(let fingerprint):
            .object(["fingerprint": JSONValue(bytes: fingerprint.bytes)])
        case .candidate(let candidate):
            .object(["lead": candidate.recording])
        case .claimant(let fingerprint, let candidate):
            .object(["fingerprint": JSONValue(bytes: fingerprint.bytes), "lead": candidate.recording])
        }
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        let fingerprint = fields["fingerprint"] == nil ? nil : try fields.fingerprint("fingerprint")
        if let fingerprint, fields["lead"] == nil {
            self = .fingerprint(fingerprint)
        } else {
            let candidate = try GatewayCandidate(recording: try fields.fields("lead"))
            self = fingerprint.map { .claimant($0, candidate) } ?? .candidate(candidate)
        }
    }
}

extension BotKey {
    var recording: JSONValue { .object(["gateway": gateway.recording, "bot": .string(bot.text)]) }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        self.init(gateway: try GatewayID(recording: try fields.fields("gateway")), bot: try fields.bot("bot"))
    }
}

extension PairedBot {
    var recording: JSONValue {
        var fields: [String: JSONValue] = ["id": id.recording]
        fields["name"] = name.map { JSONValue(recording: $0) }
        fields["emoji"] = emoji.map { JSONValue(recording: $0) }
        fields["gatewayName"] = gatewayName.map { JSONValue(recording: $0) }
        fields["place"] = place?.recording
        fields["marks"] = marks?.recording
        return .object(fields)
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        self.init(
            id: try BotKey(recording: try fields.fields("id")),
            name: try fields.optionalText("name"),
            emoji: try fields.optionalText("emoji"),
            gatewayName: try fields.optionalText("gatewayName"),
            place: fields["place"] == nil ? nil : try Endpoint(recording: try fields.fields("place")),
            marks: fields["marks"] == nil ? nil : try PairedMarks(recording: try fields.fields("marks"))
        )
    }
}
