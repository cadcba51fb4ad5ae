internal import Constellation
internal import GatewayProtocol

extension ProbeOutcome {
    var recording: JSONValue {
        switch self {
        case .gateway(let identity):
            return .object(["gateway": identity.recording])
        case .somethingElse(let answer):
            return .object([
                "somethingElse": .object([
                    "summary": JSONValue(recording: answer.summary), "firstBytes": JSONValue(bytes: answer.firstBytes),
                ])
            ])
        case .nothing(let reason):
            return .object(["nothing": reason.recording])
        }
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        if fields["gateway"] != nil {
            self = .gateway(try GatewayIdentity(recording: try fields.fields("gateway")))
        } else if fields["somethingElse"] != nil {
            let answer = try fields.fields("somethingElse")
            self = .somethingElse(
                ForeignAnswer(summary: try answer.text("summary"), bytes: try answer.bytes("firstBytes"))
            )
        } else {
            self = .nothing(try NoAnswer(recording: try fields.fields("nothing")))
        }
    }
}

extension NoAnswer {
    private static let words: [String: NoAnswer] = [
        "refused": .refused, "unreachable": .unreachable, "tlsFailure": .tlsFailure, "closed": .closed,
        "noSocket": .noSocket, "notAtUsualPorts": .notAtUsualPorts,
    ]

    var recording: JSONValue {
        switch self {
        case .refused: .object(["reason": "refused"])
        case .unreachable: .object(["reason": "unreachable"])
        case .tlsFailure: .object(["reason": "tlsFailure"])
        case .closed: .object(["reason": "closed"])
        case .noSocket: .object(["reason": "noSocket"])
        case .notAtUsualPorts: .object(["reason": "notAtUsualPorts"])
        case .noGateway(let status): .object(["reason": "noGateway", "status": JSONValue(status)])
        case .noAnswer(let time): .object(["reason": "noAnswer", "within": JSONValue(recording: time)])
        case .wrongLeaf(let leaf): .object(["reason": "wrongLeaf", "found": .string(leaf.description)])
        case .notAllowed(let refusal): .object(["reason": "notAllowed", "refusal": .string(refusal.rawValue)])
        }
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        let reason = try fields.text("reason")
        switch reason {
        case "noAnswer": self = .noAnswer(within: try fields.duration("within"))
        case "noGateway": self = .noGateway(status: try fields.int("status", in: 100...999))
        case "wrongLeaf":
            guard let leaf = LeafFingerprint(try fields.text("found")) else {
                throw fields.problem(at: "found", expected: "a SHA-256")
            }
            self = .wrongLeaf(found: leaf)
        case "notAllowed": self = .notAllowed(try fields.rawValue("refusal", TargetRefusal.self))
        default:
            guard let plain = Self.words[reason] else {
                throw fields.problem(at: "reason", expected: "a word that this version knows")
            }
            self = plain
        }
    }
}

extension GatewayIdentity {
    var recording: JSONValue {
        var fields: [String: JSONValue] = [
            "dialect": .string(dialect.rawValue),
            "bots": JSONValue(recording: bots.lazy.map(\.recording)),
            // Earlier versions require this field. The proof itself is recorded as an event of its own.
            "proof": JSONValue(0),
        ]
        fields["fingerprint"] = fingerprint.map { JSONValue(bytes: $0.bytes) }
        fields["name"] = name.map { JSONValue(recording: $0) }
        fields["leaf"] = leaf.map { .string($0.description) }
        return .object(fields)
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        var bots: [BotDescription] = []
        for value in try fields.list("bots") {
            bots.append(try BotDescription(recording: RecordedFields(value, of: "a bot")))
        }
        // Recordings of earlier versions can contain the former name of a dialect.
        guard let dialect = GatewayDialect(name: try fields.text("dialect")) else {
            throw fields.problem(at: "dialect", expected: "a word that this version knows")
        }
        self.init(
            fingerprint: fields["fingerprint"] == nil ? nil : try fields.fingerprint("fingerprint"),
            name: try fields.optionalText("name"),
            dialect: dialect,
            bots: bots,
            leaf: try fields.optionalLeaf("leaf")
        )
    }
}

extension GatewayProof {
    private static let words: [GatewayProof: String] = [
        .unproved: "unproved", .sameAddress: "sameAddress", .certified: "certified", .pinnedLeaf: "pinnedLeaf",
        .token: "token",
    ]

    var recording: String { Self.words[self] ?? "unproved" }

    init(recording word: String, of fields: RecordedFields) throws(RecordingProblem) {
        guard let proof = Self.words.first(where: { $0.value == word })?.key else {
            throw fields.problem(at: "proof", expected: "a word that this version knows")
        }
        self = proof
    }
}

extension BotDescription {
    var recording: JSONValue {
        var fields: [String: JSONValue] = ["id": .string(id.text), "name": JSONValue(recording: name)]
        fields["emoji"] = emoji.map { JSONValue(recording: $0) }
        fields["status"] = status.map { JSONValue(recording: $0) }
        return .object(fields)
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        self.init(
            id: try fields.bot("id"),
            name: try fields.text("name"),
            emoji: try fields.optionalText("emoji"),
            status: try fields.optionalText("status")
        )
    }
}

extension RecordedFields {
    func fingerprint(_ key: String) throws(RecordingProblem) -> GatewayFingerprint {
        guard let fingerprint = GatewayFingerprint(bytes: try bytes(key)) else {
            throw problem(at: key, expected: "1 to \(GatewayFingerprint.maximumLength) bytes")
        }
        return fingerprint
    }

    func optionalLeaf(_ key: String) throws(RecordingProblem) -> LeafFingerprint? {
        guard let text = try optionalText(key) else { return nil }
        guard let leaf = LeafFingerprint(text) else { throw problem(at: key, expected: "a SHA-256") }
        return leaf
    }

    func bot(_ key: String) throws(RecordingProblem) -> BotID {
        guard let bot = BotID(try text(key)) else {
            throw problem(at: key, expected: "1 to \(BotID.maximumLength) bytes")
        }
        return bot
    }
}
