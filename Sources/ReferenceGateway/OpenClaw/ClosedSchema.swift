internal import GatewayProtocol

/// A JSON schema whose objects may have no keys other than those named, as used by OpenClaw gateways.
///
/// It covers only the parts of JSON Schema that `connect` needs; the messages are those that these gateways send.
indirect enum ClosedSchema: Sendable {
    /// A string, which may or may not be empty, and its maximum size in bytes.
    case text(mayBeEmpty: Bool, maximum: Int? = nil)
    /// An integer, and its minimum.
    case integer(minimum: Int)
    case boolean
    /// One of these words.
    case enumeration([String])
    /// A list, and its maximum number of elements.
    case list(of: ClosedSchema, maximum: Int? = nil)
    /// An object with any keys.
    case map(of: ClosedSchema)
    /// An object with these keys, some of which are required.
    case object([String: ClosedSchema], required: [String])

    /// The maximum number of problems that are reported.
    private static let limit = 8

    /// Returns the problems of a value, in the order in which they are reported; none if the value is valid.
    ///
    /// - Parameter path: The JSON pointer of the value.
    func problems(of value: JSONValue, at path: String = "") -> [String] {
        switch (self, value) {
        case (.text(let mayBeEmpty, let maximum), .string(let text)):
            if !mayBeEmpty, text.isEmpty {
                [Self.problem(path, "must NOT have fewer than 1 characters")]
            } else if let maximum, text.utf8.count > maximum {
                [Self.problem(path, "must NOT have more than \(maximum) characters")]
            } else {
                []
            }
        case (.text, _): [Self.problem(path, "must be string")]
        case (.integer(let minimum), .number(let number)):
            if let whole = number.int {
                whole >= minimum ? [] : [Self.problem(path, "must be >= \(minimum)")]
            } else {
                [Self.problem(path, "must be integer")]
            }
        case (.integer, _): [Self.problem(path, "must be integer")]
        case (.boolean, .bool): []
        case (.boolean, _): [Self.problem(path, "must be boolean")]
        case (.enumeration(let words), .string(let text)) where words.contains(text): []
        case (.enumeration, _): [Self.problem(path, "must be equal to one of the allowed values")]
        case (.list(_, let maximum?), .array(let values)) where values.count > maximum:
            [Self.problem(path, "must NOT have more than \(maximum) items")]
        case (.list(let element, _), .array(let values)):
            first(values.enumerated().lazy.map { element.problems(of: $1, at: "\(path)/\($0)") })
        case (.list, _): [Self.problem(path, "must be array")]
        case (.map(let element), .object(let fields)):
            first(
                fields.sorted { $0.key < $1.key }.lazy.map { key, value in
                    element.problems(of: value, at: "\(path)/\(key.cut(toBytes: 64))")
                }
            )
        case (.object(let schemas, let required), .object(let fields)):
            Array(problems(of: fields, schemas, required, path).prefix(Self.limit))
        case (.map, _), (.object, _): [Self.problem(path, "must be object")]
        }
    }

    private func problems(
        of fields: [String: JSONValue],
        _ schemas: [String: ClosedSchema],
        _ required: [String],
        _ path: String
    ) -> [String] {
        let missing = required.filter { fields[$0] == nil }
            .map { Self.problem(path, "must have required property '\($0)'") }
        let place = path.isEmpty ? "root" : path
        let unexpected = fields.keys.filter { schemas[$0] == nil }.sorted()
            .map { "at \(place): unexpected property '\($0.cut(toBytes: 64))'" }
        let wrong = schemas.sorted { $0.key < $1.key }.flatMap { key, schema in
            fields[key].map { schema.problems(of: $0, at: "\(path)/\(key)") } ?? []
        }
        return missing + unexpected + wrong
    }

    private func first(_ problems: some Sequence<[String]>) -> [String] {
        var told: [String] = []
        for some in problems where told.count < Self.limit { told += some }
        return told
    }

    private static func problem(_ path: String, _ text: String) -> String {
        path.isEmpty ? text : "at \(path): \(text)"
    }
}

extension OpenClawEra {
    /// The schema of `connect`'s parameters.
    var connectSchema: ClosedSchema {
        let text = ClosedSchema.text(mayBeEmpty: false)
        let any = ClosedSchema.text(mayBeEmpty: true)
        let scope = ClosedSchema.text(mayBeEmpty: false, maximum: OperatorScopes.bounds.bytes)
        let client: ClosedSchema = .object(
            [
                "id": .enumeration(clientIDs), "version": text, "platform": text, "mode": .enumeration(clientModes),
                "displayName": text, "deviceFamily": text, "modelIdentifier": text, "instanceId": text,
            ],
            required: ["id", "version", "platform", "mode"]
        )
        let proof = ["id", "publicKey", "signature", "signedAt"]
        let device: ClosedSchema = .object(
            ["id": text, "publicKey": text, "signature": text, "signedAt": .integer(minimum: 0), "nonce": text],
            required: self == .january2026 ? proof : proof + ["nonce"]
        )
        var auth = ["token": any, "password": any]
        if self != .january2026 {
            auth["deviceToken"] = any
            auth["bootstrapToken"] = any
        }
        if self >= .july2026 {
            auth["approvalRuntimeToken"] = any
            auth["agentRuntimeIdentityToken"] = any
        }
        return .object(
            [
                "minProtocol": .integer(minimum: 1), "maxProtocol": .integer(minimum: 1), "client": client,
                "role": text, "scopes": .list(of: scope, maximum: OperatorScopes.bounds.count),
                "caps": .list(of: text), "commands": .list(of: text),
                "permissions": .map(of: .boolean), "pathEnv": any, "locale": any, "userAgent": any,
                "device": device, "auth": .object(auth, required: []),
            ],
            required: ["minProtocol", "maxProtocol", "client"]
        )
    }
}
