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
            guard isVersioned, Self.isDeviceID(deviceID), (name ?? "").utf8.count <= ClawlineState.nameLimit else {
                return Self.refuse(
                    "invalid_message",
                    "\(peer) asks to pair without a version or a UUID, or as a long name"
                )
            }
            guard state.clawline.count(.pair, of: deviceID, at: time) else {
                return Self.refuse("rate_limited", "\(peer) TOO OFTEN asks to pair device \(deviceID)")
            }
            guard ["platform", "model"].allSatisfy({ info?[$0]?.string?.isEmpty == false }) else {
                return Self.refuse("invalid_message", "\(peer) asks to pair without saying what device it is")
            }
            return pairClawline(deviceID, name ?? deviceID, info, &state, at: time, &generator)
        case .auth(let token, let deviceID, let last):
            guard isVersioned, Self.isDeviceID(deviceID), last?.hasPrefix(ClawlineState.messagePrefix) != false else {
                return Self.refuse(
                    "invalid_message",
                    "\(peer) asks for a session without a version, a UUID or a message"
                )
            }
            guard state.clawline.count(.auth, of: deviceID, at: time) else {
                return Self.refuse("rate_limited", "\(peer) TOO OFTEN asks for a session of device \(deviceID)")
            }
            return enterClawline(token.revealed ?? "", deviceID, after: last, state)
        case .pairDecision(let deviceID, let isApproved, let userID):
            guard let token, ClawlineState.isAdmin(token) else {
                let error = ClawlineMessage.error(code: "invalid_message", message: "Not admin")
                return [
                    .note("\(peer) decides about device \(deviceID) without being an admin"), .send(error.encoded),
                ]
            }
            if isApproved, userID.map(ClawlineState.isAccount) != true {
                let error = ClawlineMessage.error(code: "invalid_message", message: "Invalid userId")
                return [.note("an admin approves device \(deviceID) WITHOUT an account"), .send(error.encoded)]
            }
            return state.decideClawline(deviceID, isApproved: isApproved, userID, at: time, using: &generator)
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
            // A session is asked for over another connection.
            return [note, .save, .send(ClawlineMessage.pairResult(.success(grant)).encoded), .close(1_000)]
        }
        guard state.clawline.queue.wait(deviceID, name, info, on: peer.connection, at: time) else {
            return Self.refuse("rate_limited", "\(peer) wants to pair, and too many devices wait")
        }
        return [
            .note("\(peer) asks to pair device \(deviceID) (\(name)): reference-gateway approve \(deviceID)"),
            .hold(deviceID: deviceID),
            .tellAdmins(
                ClawlineMessage.pairApprovalRequest(deviceID: deviceID, claimedName: name, deviceInfo: info).encoded
            ),
        ]
    }

    private func enterClawline(
        _ token: String,
        _ deviceID: String,
        after last: String?,
        _ state: GatewayState
    ) -> [GatewayAction] {
        let reason: String
        if let pairing = state.pairing(token: token), pairing.deviceID == deviceID {
            guard state.clawline.suspended.contains(deviceID) else {
                let session = ClawlineSession(
                    userID: pairing.clawlineAccount,
                    sessionID: "\(peer.connection)",
                    // It keeps no messages, so that it knows none that a device has.
                    isHistoryReset: last != nil,
                    isAdmin: ClawlineState.isAdmin(token)
                )
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

    private static func isDeviceID(_ text: String) -> Bool { UUIDText.isRandom(text) }
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
    ///
    /// - Parameter userID: The account to which it belongs from now on; `nil` for a new one.
    mutating func grantClawline(
        _ deviceID: String,
        _ name: String,
        to userID: String? = nil,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) -> ClawlineGrant? {
        let claims = ClawlineState.claims(of: deviceID, isAdmin: pairings.isEmpty, at: time)
        let result = pair(
            deviceID: deviceID,
            deviceName: name,
            bots: [nil],
            claims: claims,
            userID: userID ?? ClawlineState.accountPrefix + UUIDText.random(using: &generator),
            using: &generator
        )
        guard let result, let pairing = result.added.first else { return nil }
        clawline.settle(deviceID)
        return ClawlineGrant(token: Secret(pairing.token), userID: pairing.clawlineAccount)
    }

    /// Returns the actions that end the sessions of tokens, with the reason.
    func endingClawline(_ tokens: Set<String>) -> [GatewayAction] {
        let message = ClawlineMessage.error(code: "token_revoked", message: "").encoded
        return tokens.sorted().map { .tell(token: $0, message) } + [.revoke(tokens)]
    }
}
