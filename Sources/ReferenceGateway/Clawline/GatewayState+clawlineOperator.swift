internal import GatewayProtocol

/// The commands of the operator of a Clawline provider, who decides as its admins do.
extension GatewayState {
    mutating func operateClawline(
        _ method: String,
        _ id: String,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) throws(OperatorRefusal) -> (payload: JSONValue, actions: [GatewayAction]) {
        switch method {
        case "devices":
            let suspended = clawline.suspended
            let role = { (pairing: GatewayPairing) in suspended.contains(pairing.deviceID) ? "suspended" : "*" }
            return (devices(waiting: clawline.queue.json(at: time), role: role), [])
        case "approve":
            let device = try clawlineDevice(id)
            let name =
                clawline.queue.requests.first { $0.deviceID == device }?.name
                ?? pairings.first { $0.deviceID == device }?.deviceName
            let actions = try approveClawline(device, at: time, using: &generator)
            return (Self.decision(about: device, named: name ?? ""), actions)
        case "reject":
            let device = try clawlineDevice(id)
            return (.object(["deviceId": .string(device)]), rejectClawline(device))
        case "revoke", "remove":
            let device = try clawlineDevice(id)
            let ended = Set(unpair(deviceID: device, bots: .all).map(\.token))
            guard !ended.isEmpty else { throw OperatorRefusal(message: "the device has no token") }
            clawline.revoke(ended)
            let note = GatewayAction.note("device \(device) was unpaired by the operator")
            return (.object(["deviceId": .string(device)]), [.save, note] + endingClawline(ended))
        default:
            throw OperatorRefusal(message: "a Clawline provider has no such command")
        }
    }

    /// Carries out an admin's decision about a device, which is an error if it does not wait.
    mutating func decideClawline(
        _ device: String,
        isApproved: Bool,
        _ userID: String?,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) -> [GatewayAction] {
        guard clawline.queue.requests.contains(where: { $0.deviceID == device }) else {
            let error = ClawlineMessage.error(code: "invalid_message", message: "Unknown device")
            return [.note("an admin decides about unknown device \(device)"), .send(error.encoded)]
        }
        guard isApproved else { return rejectClawline(device, by: "an admin") }
        do throws(OperatorRefusal) {
            return try approveClawline(device, to: userID, by: "an admin", at: time, using: &generator)
        } catch {
            return [.note("an admin approves device \(device): \(error.message)")]
        }
    }

    /// Grants what a device waits for, or lifts its suspension.
    private mutating func approveClawline(
        _ device: String,
        to userID: String? = nil,
        by who: String = "the operator",
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) throws(OperatorRefusal) -> [GatewayAction] {
        guard let request = clawline.queue.requests.first(where: { $0.deviceID == device }) else {
            guard clawline.suspended.contains(device) else {
                throw OperatorRefusal(message: "no device that waits begins so")
            }
            clawline.settle(device)
            return [.note("device \(device) is approved again")]
        }
        guard let grant = grantClawline(device, request.name, to: userID, at: time, using: &generator) else {
            throw OperatorRefusal(message: "there are too many pairings; revoke some")
        }
        let result = ClawlineMessage.pairResult(.success(grant)).encoded
        let note = GatewayAction.note("device \(device) was approved by \(who), as \(grant.userID)")
        return [note, .save, .resolve(deviceID: device, result)]
    }

    /// Denies what a device waits for, or suspends it.
    private mutating func rejectClawline(_ device: String, by who: String = "the operator") -> [GatewayAction] {
        guard clawline.queue.requests.contains(where: { $0.deviceID == device }) else {
            clawline.suspend(device)
            let message = ClawlineMessage.error(code: "device_not_approved", message: "").encoded
            let tokens = pairings.filter { $0.deviceID == device }.map(\.token)
            return [.note("device \(device) is suspended by the operator")]
                + tokens.flatMap { [GatewayAction.tell(token: $0, message), .displace(token: $0)] }
        }
        clawline.settle(device)
        let result = ClawlineMessage.pairResult(.failure(ClawlineRefusal(reason: "pair_denied"))).encoded
        return [.note("device \(device) was denied by \(who)"), .resolve(deviceID: device, result)]
    }

    private func clawlineDevice(_ prefix: String) throws(OperatorRefusal) -> String {
        try Self.device(prefix, of: clawline.queue.requests.map(\.deviceID) + pairings.map(\.deviceID))
    }
}
