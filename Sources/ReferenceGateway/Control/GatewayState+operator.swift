package import GatewayProtocol

/// The commands of the operator who runs the gateway, such as `reference-gateway approve`.
extension GatewayState {
    /// Carries out a command of the operator of this host.
    ///
    /// - Parameters:
    ///   - request: `devices`, `approve`, `reject`, `revoke` and `remove` with an `id`, `code`, or `codeUse` with a `token`.
    ///   - dialect: The dialect that the gateway speaks.
    ///   - url: The place where devices find the gateway.
    ///   - time: The present moment.
    ///   - generator: The source of randomness for tokens and codes.
    /// - Returns: The actions to take; the one message among them is the answer.
    package mutating func operate(
        _ request: GatewayRequest,
        dialect: GatewayDialect,
        url: String,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) -> [GatewayAction] {
        do throws(OperatorRefusal) {
            if request.method == "codeUse", dialect != .openClaw {
                return [Self.answer(request, codeUse(request.params?["token"]?.secret, at: time))]
            }
            let id = request.params?["id"]?.string ?? ""
            let method = request.method
            let (payload, actions): (JSONValue, [GatewayAction]) =
                switch dialect {
                case .openClaw: try openClaw.operate(method, id, url: url, at: time, using: &generator)
                case .clawline: try operateClawline(method, id, at: time, using: &generator)
                case .bridge: try operateBridge(method, id, at: time, using: &generator)
                case .optaplus, .openAgents: try operate(method, id, at: time, using: &generator)
                }
            return actions + [Self.answer(request, payload)]
        } catch {
            return [Self.refuse(request, GatewayFailure(code: "INVALID_REQUEST", message: error.message))]
        }
    }

    /// Returns the answer to a command that decided about a device.
    static func decision(about deviceID: String, named name: String) -> JSONValue {
        let device: JSONValue = .object(["deviceId": .string(deviceID), "displayName": .string(name)])
        return .object(["deviceId": .string(deviceID), "device": device])
    }

    /// Returns the answer to `devices`: those that wait, and those that are paired, each with a role.
    func devices(waiting: JSONValue, role: (GatewayPairing) -> String) -> JSONValue {
        let paired = pairings.map { pairing -> JSONValue in
            .object([
                "deviceId": .string(pairing.deviceID), "displayName": .string(pairing.deviceName),
                "roles": .array([.string(role(pairing))]),
            ])
        }
        return .object(["pending": waiting, "paired": .array(paired)])
    }

    /// Returns the one device whose identifier begins so.
    static func device(_ prefix: String, of known: [String]) throws(OperatorRefusal) -> String {
        let ids = Set(known.filter { $0.hasPrefix(prefix) })
        guard !prefix.isEmpty, ids.count == 1, let device = ids.first else {
            throw OperatorRefusal(message: ids.count > 1 ? "several devices begin so" : "no device begins so")
        }
        return device
    }

    /// Returns what has become of a code: whoever made it wants to know who has used it.
    private func codeUse(_ code: Secret?, at time: GatewayTime) -> JSONValue {
        guard let code, let known = pairingCode, known.secret == code else {
            return .object(["state": .string("expired")])
        }
        if let id = known.usedBy {
            let name = pairings.first { $0.deviceID == id }?.deviceName ?? ""
            return .object(["state": .string("used"), "deviceId": .string(id), "displayName": .string(name)])
        }
        return .object(["state": .string(known.isExpired(at: time) ? "expired" : "unused")])
    }

    /// Carries out a command in the OptaPlus dialect, in which devices need no operator's approval.
    private mutating func operate(
        _ method: String,
        _ id: String,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) throws(OperatorRefusal) -> (payload: JSONValue, actions: [GatewayAction]) {
        switch method {
        case "devices":
            return (devices(waiting: .array([])) { $0.botID?.text ?? "*" }, [])
        case "revoke", "remove":
            let device = try Self.device(id, of: pairings.map(\.deviceID))
            let ended = unpair(deviceID: device, bots: .all)
            let note = GatewayAction.note("device \(device) was unpaired by the operator")
            return (.object(["deviceId": .string(device)]), [.save, note, .revoke(Set(ended.map(\.token)))])
        case "code":
            guard demandsPairingCode else {
                throw OperatorRefusal(message: "every device may pair; a code is needed with --pairing code")
            }
            let code = PairingCode(at: time, using: &generator)
            pairingCode = code
            var fields: [String: JSONValue] = ["code": .string(code.secret.revealed ?? "")]
            if let link { fields["link"] = .string(link.text(code: code.secret)) }
            return (.object(fields), [])
        default:
            throw OperatorRefusal(message: "devices of this dialect wait for nobody")
        }
    }
}

extension OpenClawState {
    fileprivate mutating func operate(
        _ method: String,
        _ id: String,
        url: String,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) throws(OperatorRefusal) -> (payload: JSONValue, actions: [GatewayAction]) {
        switch method {
        case "devices":
            return (deviceList(at: time), [])
        case "code":
            let code = makeSetupCode(url: url, at: time, using: &generator)
            return (.object(["code": .string(code.revealed ?? "")]), [])
        case "approve", "reject":
            let found = requests.waiting(at: time).filter { $0.id.hasPrefix(id) }
            guard !id.isEmpty, found.count == 1, let request = found.first else {
                throw OperatorRefusal(
                    message: found.count > 1 ? "several requests begin so" : "no request that waits begins so"
                )
            }
            let params: JSONValue = .object(["requestId": .string(request.id)])
            return try decide(
                "device.pair.\(method)",
                params,
                isOwn: { _ in false },
                grantable: nil,
                at: time,
                using: &generator
            )
        case "revoke":
            let device = try device(id)
            guard devices.revoke(device) else { throw OperatorRefusal(message: "the device has no token") }
            return (.object(["deviceId": .string(device)]), [.save] + withdrawal(of: device))
        case "remove":
            let params: JSONValue = .object(["deviceId": .string(try device(id))])
            return try decide(
                "device.pair.remove",
                params,
                isOwn: { _ in false },
                grantable: nil,
                at: time,
                using: &generator
            )
        default:
            throw OperatorRefusal(message: "unknown method")
        }
    }

    private func device(_ prefix: String) throws(OperatorRefusal) -> String {
        guard let id = devices.identifier(prefix: prefix) else {
            throw OperatorRefusal(message: "no device begins so, or several do")
        }
        return id
    }
}
