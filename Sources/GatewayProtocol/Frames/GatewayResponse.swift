/// A `res` frame: the answer to one request.
public struct GatewayResponse: Hashable, Sendable {
    /// The identifier of the request that it answers, at most 256 bytes.
    public let id: String

    /// The outcome of the request: the payload, which may be left out, or the failure.
    public let outcome: Result<JSONValue?, GatewayFailure>

    /// Creates a response. The length of the identifier is not checked.
    public init(id: String, outcome: Result<JSONValue?, GatewayFailure>) {
        self.id = id
        self.outcome = outcome
    }

    init(_ fields: JSONFields) throws(GatewayMessageError) {
        self.id = try fields.string("id")
        self.outcome =
            try fields.bool("ok") ? .success(fields["payload"]) : .failure(try GatewayFailure(fields["error"]))
    }

    /// The frame as JSON.
    public var json: JSONValue {
        var fields: [String: JSONValue] = ["type": "res", "id": .string(id)]
        switch outcome {
        case .success(let payload):
            fields["ok"] = true
            fields["payload"] = payload
        case .failure(let failure):
            fields["ok"] = false
            fields["error"] = failure.json
        }
        return .object(fields)
    }
}
