internal import GatewayProtocol

/// An authenticated connection to an OpenClaw gateway.
struct OpenClawSession: Hashable, Sendable {
    /// The device; `nil` for a client that has the gateway's secret and no device.
    let deviceID: String?
    let role: String

    /// The scopes of its requests: those of its token, if it has one.
    let scopes: [String]

    /// The number of calls of methods that are another role's.
    var strikes = 0

    /// The most such calls over one connection.
    static let mostStrikes = 10
}

/// The admission of a client by an OpenClaw gateway.
struct OpenClawAdmission {
    let session: OpenClawSession

    /// The token to send to the device, if there is one.
    let token: DeviceRegistry.Token?

    /// Further actions to take, such as saving the state or notifying operators.
    var actions: [GatewayAction] = []
}

extension PairingRequests.Request {
    /// The request as operators see it.
    var json: JSONValue {
        var fields: [String: JSONValue] = [
            "requestId": .string(id), "deviceId": .string(deviceID),
            "publicKey": .string(Base64.url.encode(publicKey)), "displayName": .string(name),
            "platform": .string(platform), "role": .string(roles.first ?? ""),
            "roles": .array(roles.map(JSONValue.string)), "scopes": .array(scopes.map(JSONValue.string)),
            "reason": .string(reason.rawValue), "ts": .number(JSONNumber(madeAt.date)),
        ]
        fields["deviceFamily"] = deviceFamily.map(JSONValue.string)
        return .object(fields)
    }

    /// Returns the event that reports the request to operators.
    func requested(in era: OpenClawEra) -> GatewayAction {
        .broadcast("device.pair.requested", json, scope: era.scopeForOthers)
    }

    /// Returns the event that reports the decision to operators.
    func resolved(isApproved: Bool, at time: GatewayTime, in era: OpenClawEra) -> GatewayAction {
        let payload: JSONValue = .object([
            "requestId": .string(id), "deviceId": .string(deviceID),
            "decision": .string(isApproved ? "approved" : "rejected"), "ts": .number(JSONNumber(time.date)),
        ])
        return .broadcast("device.pair.resolved", payload, scope: era.scopeForOthers)
    }
}
