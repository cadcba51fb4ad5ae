/// A line of the Clawdbot bridge's protocol: a JSON object, whose `type` says which message it is.
///
/// `paramsJSON` and `payloadJSON` are strings that hold JSON, which this type does not parse.
package enum BridgeMessage: Hashable, Sendable {
    /// A device introduces itself, with its token if it is paired.
    case hello(BridgeDevice)

    /// The bridge accepts a device, and gives its own name; empty where it sends none.
    case helloOK(serverName: String)

    /// A device asks to be paired.
    case pairRequest(BridgeDevice)

    /// The bridge has paired the device, and gives it a token of at most 4,096 bytes.
    case pairOK(token: Secret)

    /// The bridge refuses, with a code such as `NOT_PAIRED`. The message is untrusted, and empty where none was sent.
    case error(code: String, message: String)

    /// A request, with parameters of at most 65,536 bytes.
    case request(id: String, method: String, paramsJSON: String?)

    /// The answer to the request with the same identifier: a payload of at most 65,536 bytes, which may be left out, or
    /// the failure.
    case response(id: String, outcome: Result<String?, GatewayFailure>)

    /// A ping, which the other side answers with ``pong(id:)``.
    case ping(id: String)

    /// The answer to the ping with the same identifier.
    case pong(id: String)

    /// The most bytes of JSON inside a JSON string.
    private static let nestedLimit = 65_536

    /// Reads a line, without its line feed.
    ///
    /// - Throws: ``GatewayMessageError``.
    package init(parsing line: [UInt8], limits: JSONLimits = JSONLimits()) throws(GatewayMessageError) {
        try self.init(json: try JSONValue(parsing: line, limits: limits))
    }

    /// Reads a line that has been parsed already.
    ///
    /// - Throws: ``GatewayMessageError``.
    package init(json: JSONValue) throws(GatewayMessageError) {
        let fields = try JSONFields(json, of: "the line")
        switch try fields.string("type") {
        case "hello": self = .hello(try BridgeDevice(fields))
        case "hello-ok": self = .helloOK(serverName: try fields.optionalString("serverName") ?? "")
        case "pair-request": self = .pairRequest(try BridgeDevice(fields))
        case "pair-ok": self = .pairOK(token: try fields.secret("token", limit: 4_096))
        case "error":
            self = .error(
                code: try fields.string("code"),
                message: try fields.optionalString("message", limit: 4_096) ?? ""
            )
        case "req":
            self = .request(
                id: try fields.string("id"),
                method: try fields.string("method"),
                paramsJSON: try fields.optionalString("paramsJSON", limit: Self.nestedLimit)
            )
        case "res":
            let isOK = try fields.bool("ok")
            self = .response(
                id: try fields.string("id"),
                outcome: isOK
                    ? .success(try fields.optionalString("payloadJSON", limit: Self.nestedLimit))
                    : .failure(try GatewayFailure(fields["error"]))
            )
        case "ping": self = .ping(id: try fields.string("id"))
        case "pong": self = .pong(id: try fields.string("id"))
        default: throw GatewayMessageError(.unknownMessage, "the line is no message of a bridge that is known")
        }
    }

    /// The message as a line, without its line feed.
    package var encoded: [UInt8] { json.encoded }

    /// The message as JSON.
    package var json: JSONValue {
        switch self {
        case .hello(let device): device.json(type: "hello")
        case .helloOK(let name): .object(["type": "hello-ok", "serverName": .string(name)])
        case .pairRequest(let device): device.json(type: "pair-request")
        case .pairOK(let token): .object(["type": "pair-ok", "token": .secret(token)])
        case .error(let code, let message):
            .object(["type": "error", "code": .string(code), "message": .string(message)])
        case .request(let id, let method, let params):
            Self.object("req", id: id, ["method": .string(method)], "paramsJSON", params)
        case .response(let id, .success(let payload)):
            Self.object("res", id: id, ["ok": true], "payloadJSON", payload)
        case .response(let id, .failure(let failure)):
            Self.object("res", id: id, ["ok": false, "error": failure.json])
        case .ping(let id): Self.object("ping", id: id)
        case .pong(let id): Self.object("pong", id: id)
        }
    }

    /// Returns the answer to a command that a bridge has for a node (`invoke`): this device carries none out.
    ///
    /// - Parameter id: The identifier of the command.
    package static func refusal(ofInvoke id: String) -> JSONValue {
        let message: JSONValue = "this device runs in the background, and carries out no commands"
        let error: JSONValue = .object(["code": "NODE_BACKGROUND_UNAVAILABLE", "message": message])
        return object("invoke-res", id: id, ["ok": false, "error": error])
    }

    private static func object(
        _ type: String,
        id: String,
        _ fields: [String: JSONValue] = [:],
        _ nestedKey: String = "",
        _ nested: String? = nil
    ) -> JSONValue {
        var fields = fields
        fields["type"] = .string(type)
        fields["id"] = .string(id)
        if let nested { fields[nestedKey] = .string(nested) }
        return .object(fields)
    }
}
