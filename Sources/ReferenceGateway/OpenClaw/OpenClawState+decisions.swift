internal import GatewayProtocol

/// The decisions about devices by an operator, who is connected or works at this host.
extension OpenClawState {
    /// Returns the payload of `device.pair.list`.
    ///
    /// - Parameter session: The session of the operator who asks; `nil` for one at this host. Who may not decide about
    ///   others sees only what is its own.
    func deviceList(for session: OpenClawSession? = nil, at time: GatewayTime) -> JSONValue {
        func isShown(_ deviceID: String) -> Bool {
            guard let session, deviceID != session.deviceID else { return true }
            return OperatorScopes.allow(settings.era.scopeForOthers, granted: session.scopes)
        }
        let paired = devices.devices.values.sorted { ($0.approvedAt, $0.id) < ($1.approvedAt, $1.id) }
        return .object([
            "pending": .array(requests.waiting(at: time).filter { isShown($0.deviceID) }.map(\.json)),
            "paired": .array(paired.filter { isShown($0.id) }.map(\.summary)),
        ])
    }

    /// Throws if an operator may not decide about the request of a device.
    private func checkMayDecide(
        _ request: PairingRequests.Request,
        isOwn: (String) -> Bool,
        grantable: [String]?
    ) throws(OperatorRefusal) {
        guard let grantable, !isOwn(request.deviceID) else { return }
        try Self.checkAllowed(settings.era.scopeForOthers, by: grantable)
    }

    /// Throws if scopes do not allow what needs another one.
    private static func checkAllowed(_ scope: String, by granted: [String]) throws(OperatorRefusal) {
        guard OperatorScopes.allow(scope, granted: granted) else {
            throw OperatorRefusal(message: "missing scope: \(scope)")
        }
    }

    /// Carries out an operator's command.
    ///
    /// - Parameters:
    ///   - method: One of `device.pair.…` and `device.token.…`.
    ///   - params: Its parameters.
    ///   - isOwn: Returns whether the operator is this device.
    ///   - grantable: The scopes that the operator has; `nil` for all.
    /// - Returns: The payload of the answer, and the actions to take.
    mutating func decide(
        _ method: String,
        _ params: JSONValue?,
        isOwn: (String) -> Bool,
        grantable: [String]?,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) throws(OperatorRefusal) -> (payload: JSONValue, actions: [GatewayAction]) {
        func text(_ key: String) throws(OperatorRefusal) -> String {
            guard let text = params?[key]?.string else {
                throw OperatorRefusal(message: "invalid \(method) params: must have required property '\(key)'")
            }
            return text
        }

        switch method {
        case "device.pair.approve":
            return try approve(try text("requestId"), isOwn: isOwn, grantable: grantable, at: time, using: &generator)
        case "device.pair.reject":
            let id = try text("requestId")
            if let waiting = requests.waiting(at: time).first(where: { $0.id == id }) {
                try checkMayDecide(waiting, isOwn: isOwn, grantable: grantable)
            }
            guard let request = requests.decide(id, at: time) else {
                throw OperatorRefusal(message: "unknown requestId")
            }
            let payload: JSONValue = .object([
                "requestId": .string(request.id), "deviceId": .string(request.deviceID),
            ])
            let event = request.resolved(isApproved: false, at: time, in: settings.era)
            return (payload, [.note("\(request.name) was rejected"), event])
        case "device.pair.remove":
            let id = try text("deviceId")
            if settings.era >= .july2026, let grantable, !isOwn(id) {
                try Self.checkAllowed(OperatorScopes.admin, by: grantable)
            }
            guard devices.remove(id) else { throw OperatorRefusal(message: "unknown deviceId") }
            requests.forget(deviceID: id)
            return (.object(["deviceId": .string(id)]), [.save] + withdrawal(of: id))
        case "device.pair.rename":
            let (id, label) = (try text("deviceId"), try text("label"))
            guard devices.rename(id, to: label.cut(toBytes: 128)) else {
                throw OperatorRefusal(message: "unknown deviceId")
            }
            return (.object(["deviceId": .string(id), "label": .string(label)]), [.save])
        case "device.token.revoke":
            let (id, role) = (try text("deviceId"), try text("role"))
            guard devices.revoke(id, role: role) else { throw OperatorRefusal(message: "unknown deviceId/role") }
            let payload: JSONValue = .object([
                "deviceId": .string(id), "role": .string(role), "revokedAtMs": .number(JSONNumber(time.date)),
            ])
            return (payload, [.save] + withdrawal(of: id))
        case "device.token.rotate":
            return try rotate(
                try text("deviceId"),
                role: try text("role"),
                scopes: params?["scopes"]?.array?.compactMap(\.string),
                isOwn: isOwn,
                at: time,
                using: &generator
            )
        default:
            throw OperatorRefusal(message: "unknown method: \(method.cut(toBytes: 64))")
        }
    }

    private mutating func approve(
        _ id: String,
        isOwn: (String) -> Bool,
        grantable: [String]?,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) throws(OperatorRefusal) -> (payload: JSONValue, actions: [GatewayAction]) {
        guard let waiting = requests.waiting(at: time).first(where: { $0.id == id }) else {
            throw OperatorRefusal(message: "unknown requestId")
        }
        try checkMayDecide(waiting, isOwn: isOwn, grantable: grantable)
        if let grantable, let missing = OperatorScopes.missing(waiting.scopes, granted: grantable) {
            throw OperatorRefusal(message: "missing scope: \(missing)")
        }
        // Released gateways since then let only an admin of the gateway approve nodes.
        if let grantable, settings.era >= .july2026, waiting.roles.contains(where: { $0 != OpenClawConnect.role }) {
            try Self.checkAllowed(OperatorScopes.admin, by: grantable)
        }
        try devices.approve(waiting, at: time.date, using: &generator)
        guard let request = requests.decide(id, at: time), let device = devices[request.deviceID] else {
            throw OperatorRefusal(message: "unknown requestId")
        }
        let payload: JSONValue = .object(["requestId": .string(id), "device": device.summary])
        return (
            payload,
            [
                .save, .note("device \(request.deviceID) (\(request.name)) was approved"),
                request.resolved(isApproved: true, at: time, in: settings.era),
            ]
        )
    }

    private mutating func rotate(
        _ id: String,
        role: String,
        scopes: [String]?,
        isOwn: (String) -> Bool,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) throws(OperatorRefusal) -> (payload: JSONValue, actions: [GatewayAction]) {
        let held = devices[id]?.grants[role]?.scopes ?? []
        if let scopes, !OperatorScopes.fit(scopes) || OperatorScopes.missing(scopes, granted: held) != nil {
            throw OperatorRefusal(message: "device token rotation denied")
        }
        guard let grant = devices.rotate(id, role: role, scopes: scopes, at: time.date, using: &generator) else {
            throw OperatorRefusal(message: "unknown deviceId/role")
        }
        var fields: [String: JSONValue] = [
            "deviceId": .string(id), "role": .string(role), "scopes": .array(grant.scopes.map(JSONValue.string)),
            "rotatedAtMs": .number(JSONNumber(time.date)),
        ]
        // Only the device itself may learn its token.
        if isOwn(id) { fields["token"] = grant.token?.secret.revealed.map(JSONValue.string) }
        return (.object(fields), [.save] + withdrawal(of: id))
    }

    /// Returns the actions that end a device's sessions, if the era requires that.
    func withdrawal(of id: String) -> [GatewayAction] {
        let note = GatewayAction.note("device \(id) lost its token")
        return settings.era.withdrawsTokens ? [note, .remove(deviceID: id)] : [note]
    }
}

extension DeviceRegistry.Device {
    /// The device as operators see it, without its tokens.
    var summary: JSONValue {
        let tokens = grants.sorted { $0.key < $1.key }.compactMap { role, grant in
            grant.token.map { token -> JSONValue in
                .object([
                    "role": .string(role), "scopes": .array(grant.scopes.map(JSONValue.string)),
                    "createdAtMs": .number(JSONNumber(token.issuedAt)),
                ])
            }
        }
        return .object([
            "deviceId": .string(id), "displayName": .string(name), "platform": .string(platform),
            "publicKey": .string(Base64.url.encode(publicKey)),
            "roles": .array(grants.keys.sorted().map(JSONValue.string)), "tokens": .array(tokens),
            "approvedAtMs": .number(JSONNumber(approvedAt)),
        ])
    }
}
