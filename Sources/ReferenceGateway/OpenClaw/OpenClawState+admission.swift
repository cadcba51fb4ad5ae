internal import GatewayProtocol

/// The rules by which an OpenClaw gateway admits clients, in the order that decides which fault is reported first:
/// protocol, role, origin, device, its proof, its secret, its approval.
extension OpenClawState {
    mutating func admit(
        _ params: ConnectParams,
        peer: GatewayPeer,
        nonce: String,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) throws(ConnectRefusal) -> OpenClawAdmission {
        try checkKind(of: params, hasOrigin: peer.origin != nil)
        guard let device = params.device else { return try admitWithoutDevice(params, peer, time) }
        let key = try DeviceProof.check(
            params,
            device,
            nonce: nonce,
            era: settings.era,
            isLoopback: peer.isLoopback,
            date: time.date
        )
        let method = try authenticate(params, deviceID: device.id, peer: peer, at: time)
        let actions = try checkApproval(params, device.id, key, method, at: time, using: &generator)
        guard let grant = devices.token(of: device.id, role: params.role, at: time.date, using: &generator) else {
            throw .unauthorized(.deviceTokenMismatch)
        }
        if method == .bootstrapToken, let token = params.bootstrapToken { setupTokens.spend(token) }
        return OpenClawAdmission(
            session: OpenClawSession(deviceID: device.id, role: params.role, scopes: grant.scopes),
            token: grant.token,
            actions: actions
        )
    }

    private func checkKind(of params: ConnectParams, hasOrigin: Bool) throws(ConnectRefusal) {
        let era = settings.era
        let spoken = era.protocolVersion
        // Clients that only probe, and nodes, may speak an older protocol.
        let isLenient =
            era >= .july2026
            && (params.clientMode == "probe" || (params.role == "node" && params.clientMode == "node"))
        let oldest = isLenient ? era.oldestProbeProtocol : spoken
        guard params.oldestProtocol <= spoken, params.newestProtocol >= oldest else {
            throw .protocolMismatch(params, era: era)
        }
        guard ["operator", "node"].contains(params.role) else { throw .invalidRole }
        guard !hasOrigin, !OpenClawEra.browserClientIDs.contains(params.clientID) else { throw .originNotAllowed }
    }

    /// Admits an operator who has the gateway's secret and no device. Except in the first era, the session has no
    /// scopes.
    private mutating func admitWithoutDevice(
        _ params: ConnectParams,
        _ peer: GatewayPeer,
        _ time: GatewayTime
    ) throws(ConnectRefusal) -> OpenClawAdmission {
        let isTried = params.token != nil || params.password != nil
        guard params.role == "operator", isTried, settings.authentication != .none,
            try authenticate(params, deviceID: nil, peer: peer, at: time) == .sharedSecret
        else { throw .deviceRequired }
        let scopes = settings.era == .january2026 ? params.scopes : []
        return OpenClawAdmission(
            session: OpenClawSession(deviceID: nil, role: params.role, scopes: scopes),
            token: nil
        )
    }

    /// - Returns: The actions to take because the device was approved just now, or is about to get a new token.
    private mutating func checkApproval(
        _ params: ConnectParams,
        _ id: String,
        _ key: [UInt8],
        _ method: Method,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) throws(ConnectRefusal) -> [GatewayAction] {
        guard let reason = reasonToAsk(params, id) else {
            // A new token will be made if the old one was withdrawn.
            return devices[id]?.grants[params.role]?.token == nil ? [.save] : []
        }
        let (request, isNew, replaced) = requests.attempt(
            params,
            deviceID: id,
            publicKey: key,
            reason: reason,
            era: settings.era,
            at: time,
            using: &generator
        )
        var actions: [GatewayAction] = []
        if let replaced { actions.append(replaced.resolved(isApproved: false, at: time, in: settings.era)) }
        if settings.approvesAll {
            requests.forget(deviceID: id)
            do throws(OperatorRefusal) {
                try devices.approve(request, at: time.date, using: &generator)
            } catch {
                throw ConnectRefusal(code: "UNAVAILABLE", message: error.message)
            }
            return actions + [.note("device \(id) (\(request.name)) was approved at once"), .save]
        }
        if isNew {
            actions.append(request.requested(in: settings.era))
            actions.append(
                .note("\(request.name) asks to be paired: reference-gateway approve \(request.id)")
            )
        }
        var refusal = pairingRequired(request, params, method)
        refusal.actions = actions
        throw refusal
    }

    /// Returns the reason why a device that has proved its identity needs to be approved; `nil` if it is approved
    /// already.
    private func reasonToAsk(_ params: ConnectParams, _ id: String) -> PairingRequests.Reason? {
        guard let device = devices[id] else { return .notPaired }
        guard let grant = device.grants[params.role] else { return .roleUpgrade }
        if grant.token == nil, settings.era.withdrawsTokens { return .roleUpgrade }
        guard OperatorScopes.missing(params.scopes, granted: grant.scopes) == nil else { return .scopeUpgrade }
        guard settings.era.pinsMetadata else { return nil }
        let isSame =
            device.platform == params.storedPlatform && device.deviceFamily == params.storedDeviceFamily
        return isSame ? nil : .metadataUpgrade
    }

    private func pairingRequired(
        _ request: PairingRequests.Request,
        _ params: ConnectParams,
        _ method: Method
    ) -> ConnectRefusal {
        var details: [String: JSONValue] = [
            "code": "PAIRING_REQUIRED", "requestId": .string(request.id), "reason": .string(request.reason.rawValue),
            // The only difference from released gateways: it lets clients show the command that works here.
            SessionRefusal.OperatorTool.claim.name: .string(SessionRefusal.OperatorTool.claim.value),
        ]
        guard settings.era >= .july2026 else {
            return ConnectRefusal(code: "NOT_PAIRED", message: "pairing required", details: details)
        }
        details["deviceId"] = .string(request.deviceID)
        details["remediationHint"] = "Approve this device from the pending pairing requests."
        details["requestedRole"] = .string(params.role)
        if !params.scopes.isEmpty { details["requestedScopes"] = .array(request.scopes.map(JSONValue.string)) }
        if let device = devices[request.deviceID] {
            details["approvedRoles"] = .array(device.grants.keys.sorted().map(JSONValue.string))
            let scopes = device.grants.values.reduce([]) { OperatorScopes.union($0, $1.scopes) }
            details["approvedScopes"] = .array(scopes.map(JSONValue.string))
        }
        if method == .bootstrapToken, params.role == "node" {
            details["recommendedNextStep"] = "wait_then_retry"
            details["retryable"] = true
            details["pauseReconnect"] = false
        }
        let message =
            switch request.reason {
            case .notPaired: "pairing required: device is not approved yet"
            case .roleUpgrade: "pairing required: device is asking for a higher role than currently approved"
            case .scopeUpgrade: "pairing required: device is asking for more scopes than currently approved"
            case .metadataUpgrade: "pairing required: device identity changed and must be re-approved"
            }
        return ConnectRefusal(
            code: "NOT_PAIRED",
            message: message,
            details: details,
            // This is cut to the size of a close reason, often in the middle of the identifier.
            reason: "\(message) (requestId: \(request.id))"
        )
    }
}
