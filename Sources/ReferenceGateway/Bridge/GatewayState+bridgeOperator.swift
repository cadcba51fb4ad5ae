internal import GatewayProtocol

/// The commands of the operator of a Clawdbot bridge.
extension GatewayState {
    mutating func operateBridge(
        _ method: String,
        _ id: String,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) throws(OperatorRefusal) -> (payload: JSONValue, actions: [GatewayAction]) {
        switch method {
        case "devices":
            return (devices(waiting: bridge.queue.json(at: time)) { _ in "*" }, [])
        case "approve", "reject":
            let waiting = bridge.queue.requests.filter { $0.deviceID.hasPrefix(id) }
            guard !id.isEmpty, Set(waiting.map(\.deviceID)).count == 1, let request = waiting.last else {
                let isNone = waiting.isEmpty || id.isEmpty
                throw OperatorRefusal(message: isNone ? "no device that waits begins so" : "several devices begin so")
            }
            let actions = method == "approve" ? try approveBridge(request, using: &generator) : rejectBridge(request)
            return (Self.decision(about: request.deviceID, named: request.name), actions)
        case "revoke", "remove":
            let device = try Self.device(id, of: pairings.map(\.deviceID))
            let ended = Set(unpair(deviceID: device, bots: .all).map(\.token))
            let note = GatewayAction.note("device \(device) was unpaired by the operator")
            return (.object(["deviceId": .string(device)]), [.save, note, .revoke(ended)])
        default:
            throw OperatorRefusal(message: "a Clawdbot bridge has no such command")
        }
    }

    private mutating func approveBridge(
        _ request: DeviceQueue.Request,
        using generator: inout some RandomNumberGenerator
    ) throws(OperatorRefusal) -> [GatewayAction] {
        guard let grant = grantBridge(request.deviceID, request.name, using: &generator) else {
            throw OperatorRefusal(message: "there are too many pairings; revoke some")
        }
        return [
            .note("device \(request.deviceID) was approved by the operator"), .save,
            .grant(connection: request.connection, token: grant.token, grant.messages),
            // Whoever else claims to be this device was not meant.
            .resolve(deviceID: request.deviceID, Self.rejection.encoded), .revoke(grant.ended),
        ]
    }

    private mutating func rejectBridge(_ request: DeviceQueue.Request) -> [GatewayAction] {
        bridge.queue.settle(request.deviceID)
        return [
            .note("device \(request.deviceID) was rejected by the operator"),
            .resolve(deviceID: request.deviceID, Self.rejection.encoded),
        ]
    }

    private static let rejection = BridgeMessage.error(code: "UNAUTHORIZED", message: "pairing rejected")
}
