internal import GatewayProtocol

/// A Clawline provider: devices wait until an admin decides, and each has one session. The first device is an admin.
extension Dialogue {
    func clawline(
        _ bytes: [UInt8],
        _ state: inout GatewayState,
        at time: GatewayTime,
        _ generator: inout some RandomNumberGenerator
    ) throws(GatewayMessageError) -> [GatewayAction] {
        let json = try JSONValue(parsing: bytes)
        let message = try ClawlineMessage(json: json)
        let isVersioned = json["protocolVersion"]?.int == ClawlineMessage.protocolVersion
        switch message {
        case .pairRequest(let deviceID, let name, let info):
            guard isVersioned, Self.isDeviceID(deviceID) else {
                return Self.refuse("invalid_message", "\(peer) asks to pair without a version or a UUID")
            }
            guard state.clawline.count(.pair, of: deviceID, at: time) else {
                return Self.refuse("rate_limited", "\(peer) TOO OFTEN asks to pair device \(deviceID)")
            }
            return pairClawline(deviceID, name ?? deviceID, info, &state, at: time, &generator)
        case .auth(let token, let deviceID, _):
            guard isVersioned, Self.isDeviceID(deviceID) else {
                return Self.refuse("invalid_message", "\(peer) asks for a session without a version or a UUID")
            }
            guard state.clawline.count(.auth, of: deviceID, at: time) else {
                return Self.refuse("rate_limited", "\(peer) TOO OFTEN asks for a session of device \(deviceID)")
            }
            return enterClawline(token.revealed ?? "", deviceID, state)
        case .pairDecision(let deviceID, let isApproved, _):
            guard let token, ClawlineState.isAdmin(token) else {
                let error = ClawlineMessage.error(code: "invalid_message", message: "Not admin")
                return [
                    .note("\(peer) decides about device \(deviceID) without being an admin"), .send(error.encoded),
                ]
            }
            return state.decideClawline(deviceID, isApproved: isApproved, at: time, using: &generator)
        case .pairResult, .authResult, .error, .pairApprovalRequest:
            return [.note("\(peer) speaks as if it were a provider"), .close(1_008)]
        }
    }

    private func pairClawline(
        _ deviceID: String,
        _ name: String,
        _ info: JSONValue?,
        _ state: inout GatewayState,
        at time: GatewayTime,
        _ generator: inout some RandomNumberGenerator
    ) -> [GatewayAction] {
        guard !state.pairings.contains(where: { $0.deviceID == deviceID }) else {
            let error = ClawlineMessage.error(code: "invalid_message", message: "Device already paired")
            return [.note("\(peer) is paired already as \(deviceID)"), .send(error.encoded), .close(1_000)]
        }
        if state.clawline.approvesAll {
            guard let grant = state.grantClawline(deviceID, name, at: time, using: &generator) else {
                return Self.rejection("\(peer) wants to pair, and there are too many pairings")
            }
            let note = GatewayAction.note("\(peer) paired device \(deviceID) (\(name))")
            return [note, .save, .send(ClawlineMessage.pairResult(.success(grant)).encoded)]
        }
        guard state.clawline.queue.wait(deviceID, name, info, on: peer.connection, at: time) else {
            return Self.rejection("\(peer) wants to pair, and too many devices wait")
        }
        return [
            .note("\(peer) asks to pair device \(deviceID) (\(name)): reference-gateway approve \(deviceID)"),
            .hold(deviceID: deviceID),
            .tellAdmins(
                ClawlineMessage.pairApprovalRequest(deviceID: deviceID, claimedName: name, deviceInfo: info).encoded
            ),
        ]
    }

    private func enterClawline(_ token: String, _ deviceID: String, _ state: GatewayState) -> [GatewayAction] {
        let reason: String
        if let pairing = state.pairing(token: token), pairing.deviceID == deviceID {
            guard state.clawline.suspended.contains(deviceID) else {
                let session = ClawlineSession(userID: deviceID, sessionID: "\(peer.connection)")
                return [
                    .note("\(peer) connects as device \(deviceID)"),
                    .tell(token: token, ClawlineMessage.error(code: "session_replaced", message: "").encoded),
                    .displace(token: token), .admit(token: token),
                    .send(ClawlineMessage.authResult(.success(session)).encoded),
                ] + (ClawlineState.isAdmin(token) ? state.clawline.queue.approvalRequests.map(GatewayAction.send) : [])
            }
            reason = "device_not_approved"
        } else {
            reason = state.clawline.hasRevoked(token) ? "token_revoked" : "auth_failed"
        }
        return [
            .note("\(peer) is refused a session of device \(deviceID): \(reason)"),
            .send(ClawlineMessage.authResult(.failure(ClawlineRefusal(reason: reason))).encoded), .close(1_008),
        ]
    }

    private static func rejection(_ note: String) -> [GatewayAction] {
        let answer = ClawlineMessage.pairResult(.failure(ClawlineRefusal(reason: "pair_rejected")))
        return [.note(note), .send(answer.encoded), .close(1_008)]
    }

    private static func refuse(_ code: String, _ note: String) -> [GatewayAction] {
        [.note(note), .send(ClawlineMessage.error(code: code, message: "").encoded), .close(1_008, reason: code)]
    }

    /// Returns whether a text is a UUID of version 4, in either case.
    static func isDeviceID(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36, bytes[14] == UInt8(ascii: "4"), "89abAB".utf8.contains(bytes[19]) else { return false }
        return bytes.enumerated().allSatisfy { index, byte in
            [8, 13, 18, 23].contains(index)
                ? byte == UInt8(ascii: "-") : "0123456789abcdefABCDEF".utf8.contains(byte)
        }
    }
}

extension DeviceQueue {
    /// The messages by which admins are told of the devices that wait.
    fileprivate var approvalRequests: [[UInt8]] {
        requests.map { request in
            ClawlineMessage.pairApprovalRequest(
                deviceID: request.deviceID,
                claimedName: request.name,
                deviceInfo: request.info
            ).encoded
        }
    }
}

extension GatewayState {
    /// Pairs a device that is not paired; `nil` if there are too many pairings.
    mutating func grantClawline(
        _ deviceID: String,
        _ name: String,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) -> ClawlineGrant? {
        let claims = ClawlineState.claims(of: deviceID, isAdmin: pairings.isEmpty, at: time)
        let result = pair(deviceID: deviceID, deviceName: name, bots: [nil], claims: claims, using: &generator)
        guard let result, let pairing = result.added.first else { return nil }
        clawline.settle(deviceID)
        return ClawlineGrant(token: Secret(pairing.token), userID: deviceID)
    }

    /// Returns the actions that end the sessions of tokens, with the reason.
    func endingClawline(_ tokens: Set<String>) -> [GatewayAction] {
        let message = ClawlineMessage.error(code: "token_revoked", message: "").encoded
        return tokens.sorted().map { .tell(token: $0, message) } + [.revoke(tokens)]
    }
}
