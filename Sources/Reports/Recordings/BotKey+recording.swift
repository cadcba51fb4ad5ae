internal import DNSSD
internal import GatewayProtocol
internal import Scanning

extension GatewayCandidate: RecordedObject {
    var recording: JSONValue {
        switch self {
        case .service(let instance): JSONValue(recording: ["service": instance])
        case .endpoint(let endpoint): JSONValue(recording: ["endpoint": endpoint])
        }
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        let instance: ServiceInstance? = try fields.optional("service")
        self = if let instance { .service(instance) } else { .endpoint(try fields.value("endpoint")) }
    }
}

extension GatewayID: RecordedObject {
    var recording: JSONValue {
        switch form {
        case .fingerprint(let fingerprint): JSONValue(recording: ["fingerprint": fingerprint])
        case .candidate(let candidate): JSONValue(recording: ["lead": candidate])
        case .claimant(let fingerprint, let candidate):
            JSONValue(recording: ["fingerprint": fingerprint, "lead": candidate])
        }
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        let fingerprint: GatewayFingerprint? = try fields.optional("fingerprint")
        if let fingerprint, fields["lead"] == nil {
            self = .fingerprint(fingerprint)
        } else {
            let candidate: GatewayCandidate = try fields.value("lead")
            self = fingerprint.map { .claimant($0, candidate) } ?? .candidate(candidate)
        }
    }
}

extension BotKey: RecordedObject {
    var recording: JSONValue { JSONValue(recording: ["gateway": gateway, "bot": bot]) }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        try self.init(gateway: fields.value("gateway"), bot: fields.value("bot"))
    }
}

extension PairedBot: RecordedObject {
    var recording: JSONValue {
        JSONValue(recording: [
            "id": id, "name": name, "emoji": emoji, "gatewayName": gatewayName, "place": place, "marks": marks,
        ])
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        try self.init(
            id: fields.value("id"),
            name: fields.optional("name"),
            emoji: fields.optional("emoji"),
            gatewayName: fields.optional("gatewayName"),
            place: fields.optional("place"),
            marks: fields.optional("marks")
        )
    }
}
