internal import GatewayProtocol

extension GatewayState {
    /// The maximum size of a message that an OpenClaw gateway accepts after authentication, in bytes.
    static let openClawPayload = 1_048_576

    /// The methods of the reference gateway in OpenClaw's dialect, and the scope that each needs.
    static let openClawMethods: [String: String] = [
        "health": OperatorScopes.read,
        "agents.list": OperatorScopes.read,
        "gateway.identity.get": OperatorScopes.read,
        "device.pair.list": OperatorScopes.pairing,
        "device.pair.setupCode": OperatorScopes.admin,
        "device.pair.approve": OperatorScopes.pairing,
        "device.pair.reject": OperatorScopes.pairing,
        "device.pair.remove": OperatorScopes.pairing,
        "device.pair.rename": OperatorScopes.pairing,
        "device.token.rotate": OperatorScopes.pairing,
        "device.token.revoke": OperatorScopes.pairing,
        "node.pair.list": OperatorScopes.pairing,
        "node.pair.approve": OperatorScopes.pairing,
        "node.pair.reject": OperatorScopes.pairing,
    ]

    /// Returns the payload of `hello-ok`. It holds the token.
    func hello(_ admission: OpenClawAdmission, connection: Int) -> JSONValue {
        let settings = openClaw.settings
        let methods = Self.openClawMethods.keys.filter { settings.era.has($0) && $0 != "device.pair.setupCode" }
        let pairing = ["device", "node"].flatMap { ["\($0).pair.requested", "\($0).pair.resolved"] }
        let events = (["tick"] + pairing).map(JSONValue.string)
        var fields: [String: JSONValue] = [
            "type": "hello-ok",
            "protocol": .number(JSONNumber(settings.era.protocolVersion)),
            "server": .object([
                "version": .string(settings.era.serverVersion), "connId": .string("\(connection)"),
            ]),
            "features": .object([
                "methods": .array(methods.sorted().map(JSONValue.string)), "events": .array(events),
            ]),
            "snapshot": .object(settings.era == .january2026 ? [:] : ["health": health]),
            "policy": .object([
                "maxPayload": .number(JSONNumber(Self.openClawPayload)), "maxBufferedBytes": 1_572_864,
                "tickIntervalMs": .number(JSONNumber(settings.tickInterval)),
            ]),
        ]
        fields["auth"] = auth(admission)
        return .object(fields)
    }

    /// Returns the `auth` of `hello-ok`; `nil` if there is no token and the era then leaves it out.
    private func auth(_ admission: OpenClawAdmission) -> JSONValue? {
        var fields: [String: JSONValue] = [
            "role": .string(admission.session.role),
            "scopes": .array(admission.session.scopes.map(JSONValue.string)),
        ]
        guard let token = admission.token else {
            return openClaw.settings.era >= .july2026 ? .object(fields) : nil
        }
        fields["deviceToken"] = token.secret.revealed.map(JSONValue.string)
        fields["issuedAtMs"] = .number(JSONNumber(token.issuedAt))
        return .object(fields)
    }

    /// The health of the gateway, with only the names and identifiers of its bots.
    var health: JSONValue {
        let agents = bots.enumerated().map { index, bot -> JSONValue in
            .object(["agentId": .string(bot.id.text), "name": .string(bot.name), "isDefault": .bool(index == 0)])
        }
        return .object(["ok": true, "agents": .array(agents)])
    }

    /// The payload of `agents.list`.
    var agentList: JSONValue {
        let agents = bots.map { bot -> JSONValue in
            var identity: [String: JSONValue] = ["name": .string(bot.name)]
            identity["emoji"] = bot.emoji.map(JSONValue.string)
            var fields: [String: JSONValue] = ["id": .string(bot.id.text), "identity": .object(identity)]
            if openClaw.settings.era != .january2026 { fields["name"] = .string(bot.name) }
            return .object(fields)
        }
        var payload: [String: JSONValue] = ["mainKey": "main", "scope": "per-sender", "agents": .array(agents)]
        payload["defaultId"] = bots.first.map { .string($0.id.text) }
        return .object(payload)
    }
}
