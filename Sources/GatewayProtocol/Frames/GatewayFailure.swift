/// The `error` of a response: why a gateway does not do what it was asked.
public struct GatewayFailure: Error, Hashable, Sendable {
    /// A code such as `NOT_PAIRED` or `INVALID_REQUEST`, at most 256 bytes.
    public let code: String

    /// A sentence, at most 4,096 bytes; untrusted. Empty when none was sent.
    public let message: String

    /// Further details that the gateway gives about the failure.
    public let details: JSONValue?

    public init(code: String, message: String, details: JSONValue? = nil) {
        self.code = code
        self.message = message
        self.details = details
    }

    init(_ json: JSONValue?) throws(GatewayMessageError) {
        let fields = try JSONFields(json, of: "the error")
        self.code = try fields.string("code")
        self.message = try fields.optionalString("message", limit: 4_096) ?? ""
        self.details = fields["details"]
    }

    /// The `error` as JSON.
    public var json: JSONValue {
        var fields: [String: JSONValue] = ["code": .string(code), "message": .string(message)]
        fields["details"] = details
        return .object(fields)
    }

    /// Indicates whether this is how an OpenClaw gateway refuses any first frame but `connect`: that, too, tells what
    /// it is.
    public var isConnectExpected: Bool {
        code == "INVALID_REQUEST" && message.contains("first request must be connect")
    }
}
