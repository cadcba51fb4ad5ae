/// The messages of the Clawline protocol, up to an authenticated session.
package enum ClawlineMessage: Hashable, Sendable {
    /// A device asks to be paired, under the name that it claims.
    case pairRequest(deviceID: String, claimedName: String?, deviceInfo: JSONValue?)

    /// The provider grants the pairing or refuses it.
    case pairResult(Result<ClawlineGrant, ClawlineRefusal>)

    /// A paired device asks for a session with its token, and names the last message that it has, if any.
    case auth(token: Secret, deviceID: String, lastMessageID: String?)

    /// The provider begins the session or refuses it.
    case authResult(Result<ClawlineSession, ClawlineRefusal>)

    /// The provider tells an admin of a device that waits, under the name that it claims.
    case pairApprovalRequest(deviceID: String, claimedName: String?, deviceInfo: JSONValue?)

    /// An admin decides about a device that waits. Only what is refused is answered, by an error. An approval must name the
    /// account to which the device is attached: that of the admin, another one, or a new one.
    case pairDecision(deviceID: String, isApproved: Bool, userID: String?)

    /// The provider reports an error, such as `session_replaced`, with which it ends a session. The message is
    /// untrusted, and empty where none was sent.
    case error(code: String, message: String)

    /// The version of the protocol that this module speaks.
    package static let protocolVersion = 1

    /// Reads a message.
    ///
    /// - Throws: ``GatewayMessageError``.
    package init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(GatewayMessageError) {
        try self.init(json: try JSONValue(parsing: bytes, limits: limits))
    }

    /// Reads a message from JSON.
    ///
    /// - Throws: ``GatewayMessageError``.
    package init(json: JSONValue) throws(GatewayMessageError) {
        let fields = try JSONFields(json, of: "the message")
        switch try fields.string("type") {
        case "pair_request":
            self = .pairRequest(
                deviceID: try fields.string("deviceId"),
                claimedName: try fields.optionalString("claimedName"),
                deviceInfo: fields["deviceInfo"]
            )
        case "pair_result":
            let isGranted = try fields.bool("success")
            self = .pairResult(
                isGranted ? .success(try ClawlineGrant(fields)) : .failure(try ClawlineRefusal(fields))
            )
        case "auth":
            self = .auth(
                token: try fields.secret("token", limit: 4_096),
                deviceID: try fields.string("deviceId"),
                lastMessageID: try fields.optionalString("lastMessageId")
            )
        case "auth_result":
            let isGranted = try fields.bool("success")
            self = .authResult(
                isGranted ? .success(try ClawlineSession(fields)) : .failure(try ClawlineRefusal(fields))
            )
        case "pair_approval_request":
            self = .pairApprovalRequest(
                deviceID: try fields.string("deviceId"),
                claimedName: try fields.optionalString("claimedName"),
                deviceInfo: fields["deviceInfo"]
            )
        case "pair_decision":
            self = .pairDecision(
                deviceID: try fields.string("deviceId"),
                isApproved: try fields.bool("approve"),
                userID: try fields.optionalString("userId")
            )
        case "error":
            self = .error(
                code: try fields.string("code"),
                message: try fields.optionalString("message", limit: 4_096) ?? ""
            )
        default: throw GatewayMessageError(.unknownMessage, "the message is none of Clawline that is known")
        }
    }

    /// The text of the WebSocket message.
    package var encoded: [UInt8] { json.encoded }

    /// The message as JSON.
    package var json: JSONValue { .object(fields) }

    private var fields: [String: JSONValue] {
        switch self {
        case .pairRequest(let deviceID, let name, let info):
            var fields: [String: JSONValue] = ["type": "pair_request", "deviceId": .string(deviceID)]
            fields["protocolVersion"] = .number(JSONNumber(Self.protocolVersion))
            fields["claimedName"] = name.map(JSONValue.string)
            fields["deviceInfo"] = info
            return fields
        case .pairResult(.success(let grant)):
            return grant.fields.merging(["type": "pair_result", "success": true]) { $1 }
        case .pairResult(.failure(let refusal)):
            return ["type": "pair_result", "success": false, "reason": .string(refusal.reason)]
        case .auth(let token, let deviceID, let last):
            return [
                "type": "auth", "protocolVersion": .number(JSONNumber(Self.protocolVersion)), "token": .secret(token),
                "deviceId": .string(deviceID), "lastMessageId": last.map(JSONValue.string) ?? .null,
            ]
        case .authResult(.success(let session)):
            return session.fields.merging(["type": "auth_result", "success": true]) { $1 }
        case .authResult(.failure(let refusal)):
            return ["type": "auth_result", "success": false, "reason": .string(refusal.reason)]
        case .pairApprovalRequest(let deviceID, let name, let info):
            var fields: [String: JSONValue] = ["type": "pair_approval_request", "deviceId": .string(deviceID)]
            fields["claimedName"] = name.map(JSONValue.string)
            fields["deviceInfo"] = info
            return fields
        case .pairDecision(let deviceID, let isApproved, let userID):
            var fields: [String: JSONValue] = ["type": "pair_decision", "deviceId": .string(deviceID)]
            fields["approve"] = .bool(isApproved)
            fields["userId"] = userID.map(JSONValue.string)
            return fields
        case .error(let code, let message):
            return ["type": "error", "code": .string(code), "message": .string(message)]
        }
    }
}

/// A refusal by a Clawline provider, with its reason.
package struct ClawlineRefusal: Error, Hashable, Sendable {
    /// The reason as it was sent, such as `pair_denied` or `token_revoked`; at most 256 bytes.
    package let reason: String

    /// Creates a refusal with a reason, whose length is not checked.
    package init(reason: String) {
        self.reason = reason
    }

    init(_ fields: JSONFields) throws(GatewayMessageError) {
        self.reason = try fields.optionalString("reason") ?? ""
    }
}
