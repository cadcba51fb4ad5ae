/// The `error` of a response: the reason why a gateway does not do what it was asked.
public struct GatewayFailure: Error, Hashable, Sendable {
    /// A code such as `NOT_PAIRED` or `INVALID_REQUEST`, at most 256 bytes.
    public let code: String

    /// A message for people, at most 4,096 bytes; untrusted. Empty when none was sent.
    public let message: String

    /// Further details that the gateway gives about the failure.
    public let details: JSONValue?

    /// The time for which the gateway asks not to be contacted again, at most an hour, where it sends one.
    public let retryAfter: Duration?

    private static let longestRetryAfter = Duration.seconds(3_600)

    /// Creates a failure. The lengths of the texts are not checked.
    public init(code: String, message: String, details: JSONValue? = nil, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.details = details
        self.retryAfter = retryAfter
    }

    init(_ json: JSONValue?) throws(GatewayMessageError) {
        let fields = try JSONFields(json, of: "the error")
        self.code = try fields.string("code")
        self.message = try fields.optionalString("message", limit: 4_096) ?? ""
        self.details = fields["details"]
        self.retryAfter = fields["retryAfterMs"]?.int.map { min(max(.zero, .milliseconds($0)), Self.longestRetryAfter) }
    }

    /// The `error` as JSON. A time of more than an hour is written as an hour, a negative one as 0.
    public var json: JSONValue {
        var fields: [String: JSONValue] = ["code": .string(code), "message": .string(message)]
        fields["details"] = details
        // OpenClaw gateways send both fields or neither.
        if retryAfter != nil { fields["retryable"] = .bool(true) }
        fields["retryAfterMs"] = retryAfter.map { time in
            .number(JSONNumber(Int(min(max(.zero, time), Self.longestRetryAfter) / .milliseconds(1))))
        }
        return .object(fields)
    }

    /// Indicates whether this is how an OpenClaw gateway refuses any first frame other than `connect`, which identifies
    /// it as one.
    public var isConnectExpected: Bool {
        code == "INVALID_REQUEST" && message.contains("first request must be connect")
    }
}
