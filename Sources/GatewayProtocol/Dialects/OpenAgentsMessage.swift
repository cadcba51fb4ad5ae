/// The greeting of OpenAgents. The envelopes that follow it, `{"type":…,"data":…}`, are events.
package enum OpenAgentsMessage: Hashable, Sendable {
    /// The greeting of a client, with the one token of the gateway, of at most 4,096 bytes.
    case hello(token: Secret)

    /// The answer to the greeting, with a token of at most 4,096 bytes if one was sent.
    case helloAck(token: Secret?)

    /// Reads a message; `{"token":"…"}` alone is a hello as well.
    ///
    /// - Throws: ``GatewayMessageError``.
    package init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(GatewayMessageError) {
        try self.init(json: try JSONValue(parsing: bytes, limits: limits))
    }

    /// Reads a message that has been parsed already.
    ///
    /// - Throws: ``GatewayMessageError``.
    package init(json: JSONValue) throws(GatewayMessageError) {
        let fields = try JSONFields(json, of: "the message")
        switch try fields.optionalString("type") {
        case nil, "Hello": self = .hello(token: try fields.secret("token", limit: 4_096))
        case "HelloAck": self = .helloAck(token: try fields.optionalSecret("token", limit: 4_096))
        default: throw GatewayMessageError(.unknownMessage, "the message is neither Hello nor HelloAck")
        }
    }

    /// The text of the WebSocket message.
    package var encoded: [UInt8] { json.encoded }

    /// The message as JSON.
    package var json: JSONValue {
        switch self {
        case .hello(let token):
            return .object(["type": "Hello", "token": .secret(token)])
        case .helloAck(let token):
            var fields: [String: JSONValue] = ["type": "HelloAck"]
            fields["token"] = token.map(JSONValue.secret)
            return .object(fields)
        }
    }
}
