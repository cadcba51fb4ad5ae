/// The greeting of OpenAgents. The envelopes that follow it are not read by this module.
public enum OpenAgentsMessage: Hashable, Sendable {
    /// The greeting of a client, with its token of at most 4,096 bytes.
    case hello(token: String)

    /// The answer to the greeting, with a token of at most 4,096 bytes if one was sent.
    case helloAck(token: String?)

    /// Reads a message; `{"token":"…"}` alone is a hello as well.
    ///
    /// - Throws: ``GatewayMessageError``.
    public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(GatewayMessageError) {
        let fields = try JSONFields(try JSONValue(parsing: bytes, limits: limits), of: "the message")
        switch try fields.optionalString("type") {
        case nil, "Hello": self = .hello(token: try fields.string("token", limit: 4_096))
        case "HelloAck": self = .helloAck(token: try fields.optionalString("token", limit: 4_096))
        default: throw GatewayMessageError(.unknownMessage, "the message is neither Hello nor HelloAck")
        }
    }

    /// The text of the WebSocket message.
    public var encoded: [UInt8] {
        switch self {
        case .hello(let token):
            return JSONValue.object(["type": "Hello", "token": .string(token)]).encoded
        case .helloAck(let token):
            var fields: [String: JSONValue] = ["type": "HelloAck"]
            fields["token"] = token.map(JSONValue.string)
            return JSONValue.object(fields).encoded
        }
    }
}
