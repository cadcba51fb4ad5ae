internal import GatewayProtocol

/// An authenticated connection to an OpenClaw gateway.
struct OpenClawSession: Hashable, Sendable {
    /// The device; `nil` when it came with the gateway's secret and without a device.
    let deviceID: String?
    let role: String

    /// The scopes of its requests: those of its token, where it has one.
    let scopes: [String]
}

/// A connection that an OpenClaw gateway lets in.
struct OpenClawAdmission {
    let session: OpenClawSession

    /// The token to give to the device, if it is one.
    let token: DeviceRegistry.Token?

    /// The actions to take besides: keeping, telling.
    var news: [GatewayAction] = []
}

extension PairingRequests.Request {
    /// The record that operators see.
    var json: JSONValue {
        var fields: [String: JSONValue] = [
            "requestId": .string(id), "deviceId": .string(deviceID),
            "publicKey": .string(Base64URL.encode(publicKey)), "displayName": .string(name),
            "platform": .string(platform), "role": .string(roles.first ?? ""),
            "roles": .array(roles.map(JSONValue.string)), "scopes": .array(scopes.map(JSONValue.string)),
            "reason": .string(reason.rawValue), "ts": .number(JSONNumber(madeAt.date)),
        ]
        fields["deviceFamily"] = deviceFamily.map(JSONValue.string)
        return .object(fields)
    }

    /// The event that tells operators of it.
    var requested: GatewayAction { .broadcast("device.pair.requested", json, scope: OperatorScopes.pairing) }

    /// The event that tells operators how it ended.
    func resolved(isApproved: Bool, at time: GatewayTime) -> GatewayAction {
        let payload: JSONValue = .object([
            "requestId": .string(id), "deviceId": .string(deviceID),
            "decision": .string(isApproved ? "approved" : "rejected"), "ts": .number(JSONNumber(time.date)),
        ])
        return .broadcast("device.pair.resolved", payload, scope: OperatorScopes.pairing)
    }
}
