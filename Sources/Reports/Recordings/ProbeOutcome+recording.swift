internal import GatewayProtocol
internal import Scanning

extension ProbeOutcome: RecordedObject {
    var recording: JSONValue {
        switch self {
        case .gateway(let identity): JSONValue(recording: ["gateway": identity])
        case .somethingElse(let answer): JSONValue(recording: ["somethingElse": answer])
        case .nothing(let reason): JSONValue(recording: ["nothing": reason])
        }
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        if fields["gateway"] != nil {
            self = .gateway(try fields.value("gateway"))
        } else if fields["somethingElse"] != nil {
            self = .somethingElse(try fields.value("somethingElse"))
        } else {
            self = .nothing(try fields.value("nothing"))
        }
    }
}

extension ForeignAnswer: RecordedObject {
    var recording: JSONValue {
        JSONValue(recording: ["summary": summary, "firstBytes": JSONValue(bytes: firstBytes)])
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        try self.init(summary: fields.value("summary"), bytes: fields.bytes("firstBytes"))
    }
}

extension NoAnswer: RecordedObject {
    private static let words: [String: NoAnswer] = [
        "refused": .refused, "unreachable": .unreachable, "tlsFailure": .tlsFailure, "closed": .closed,
        "noSocket": .noSocket, "notAtUsualPorts": .notAtUsualPorts,
    ]

    var recording: JSONValue {
        switch self {
        case .refused, .unreachable, .tlsFailure, .closed, .noSocket, .notAtUsualPorts:
            JSONValue(recording: ["reason": Self.words.first { $0.value == self }?.key])
        case .noGateway(let status): JSONValue(recording: ["reason": "noGateway", "status": status])
        case .noAnswer(let time): JSONValue(recording: ["reason": "noAnswer", "within": time])
        case .wrongLeaf(let leaf): JSONValue(recording: ["reason": "wrongLeaf", "found": leaf])
        case .notAllowed(let refusal): JSONValue(recording: ["reason": "notAllowed", "refusal": refusal])
        }
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        let reason: String = try fields.value("reason")
        switch reason {
        case "noAnswer": self = .noAnswer(within: try fields.value("within"))
        case "noGateway":
            let status: Int = try fields.value("status")
            guard (100...999).contains(status) else { throw fields.problem(at: "status", expected: "a status of HTTP") }
            self = .noGateway(status: status)
        case "wrongLeaf": self = .wrongLeaf(found: try fields.value("found"))
        case "notAllowed": self = .notAllowed(try fields.value("refusal"))
        default:
            guard let plain = Self.words[reason] else { throw fields.unknownWord(at: "reason") }
            self = plain
        }
    }
}

extension GatewayIdentity: RecordedObject {
    var recording: JSONValue {
        JSONValue(recording: [
            "dialect": dialect, "bots": bots, "fingerprint": fingerprint, "name": name, "leaf": leaf,
            // Earlier versions require this field. The proof itself is recorded as an event of its own.
            "proof": 0,
        ])
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        try self.init(
            fingerprint: fields.optional("fingerprint"),
            name: fields.optional("name"),
            dialect: fields.value("dialect"),
            bots: fields.value("bots"),
            leaf: fields.optional("leaf")
        )
    }
}

extension BotDescription: RecordedObject {
    var recording: JSONValue { JSONValue(recording: ["id": id, "name": name, "emoji": emoji, "status": status]) }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        try self.init(
            id: fields.value("id"),
            name: fields.value("name"),
            emoji: fields.optional("emoji"),
            status: fields.optional("status")
        )
    }
}

extension GatewayProof: RecordedText {
    private static let words: [GatewayProof: String] = [
        .unproved: "unproved", .sameAddress: "sameAddress", .certified: "certified", .pinnedLeaf: "pinnedLeaf",
        .token: "token",
    ]

    var recordedText: String { Self.words[self] ?? "unproved" }

    init?(recordedText: String) {
        guard let proof = Self.words.first(where: { $0.value == recordedText })?.key else { return nil }
        self = proof
    }
}

extension GatewayDialect: RecordedText {
    /// Reads the name of a dialect. Recordings of earlier versions can contain its former name.
    init?(recordedText: String) { self.init(name: recordedText) }
}

extension GatewayFingerprint: Recorded {
    var recording: JSONValue { JSONValue(bytes: bytes) }

    static func read(_ value: JSONValue, _ key: String, of fields: RecordedFields) throws(RecordingProblem) -> Self {
        guard let fingerprint = Self(bytes: value.bytes ?? []) else {
            throw fields.problem(at: key, expected: "1 to \(maximumLength) bytes")
        }
        return fingerprint
    }
}

extension LeafFingerprint: RecordedText {
    static var expectation: String { "a SHA-256" }
    var recordedText: String { description }
    init?(recordedText: String) { self.init(recordedText) }
}

extension BotID: RecordedText {
    static var expectation: String { "1 to \(maximumLength) bytes" }
    var recordedText: String { text }
    init?(recordedText: String) { self.init(recordedText) }
}
