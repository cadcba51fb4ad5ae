internal import GatewayProtocol

/// The requests of a session in OpenClaw's dialect.
extension GatewayState {
    mutating func answer(
        _ request: GatewayRequest,
        of session: OpenClawSession,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) -> [GatewayAction] {
        func refuse(_ message: String) -> [GatewayAction] {
            [Self.refuse(request, GatewayFailure(code: "INVALID_REQUEST", message: message))]
        }

        guard let scope = Self.openClawMethods[request.method], openClaw.settings.era.has(request.method) else {
            return refuse("unknown method: \(request.method.cut(toBytes: 64))")
        }
        guard session.role == "operator" else { return refuse("unauthorized role: \(session.role)") }
        guard OperatorScopes.allow(scope, granted: session.scopes) else {
            return [Self.refuse(request, GatewayFailure(missing: scope, in: openClaw.settings.era))]
        }
        switch request.method {
        case "health":
            return [Self.answer(request, health)]
        case "agents.list":
            return [Self.answer(request, agentList)]
        case "gateway.identity.get":
            let key = openClaw.publicKey(using: &generator)
            let payload: JSONValue = .object([
                "deviceId": .string(DeviceProof.identifier(of: key)), "publicKey": .string(Base64.url.encode(key)),
            ])
            return [.save, Self.answer(request, payload)]
        case "device.pair.setupCode":
            return [setupCode(request, at: time, using: &generator)]
        case "device.pair.list":
            return [Self.answer(request, openClaw.deviceList(for: session, at: time))]
        case "node.pair.list":
            // Nodes pair as devices here: none waits apart from them.
            return [Self.answer(request, .object(["pending": .array([]), "paired": .array([])]))]
        case "node.pair.approve", "node.pair.reject":
            guard let fields = request.params?.object, fields.count == 1, fields["requestId"]?.string != nil else {
                return refuse("invalid \(request.method) params: must have required property 'requestId'")
            }
            return refuse("unknown requestId")
        default:
            do throws(OperatorRefusal) {
                let (payload, actions) = try openClaw.decide(
                    request.method,
                    request.params,
                    isOwn: { $0 == session.deviceID },
                    grantable: session.scopes,
                    at: time,
                    using: &generator
                )
                // The answer comes first, since the session that asks may be one of those that end.
                return actions.filter { $0 == .save } + [Self.answer(request, payload)] + actions.filter { $0 != .save }
            } catch {
                return refuse(error.message)
            }
        }
    }
}

extension GatewayState {
    private static let setupCodeParams = ClosedSchema.object(
        [
            "publicUrl": .text(mayBeEmpty: false), "preferRemoteUrl": .boolean, "includeQr": .boolean,
            "bootstrapProfile": .enumeration(["limited", "node"]),
        ],
        required: []
    )

    /// Makes a setup code for another device. What whoever uses it may do is decided when that is approved.
    private mutating func setupCode(
        _ request: GatewayRequest,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) -> GatewayAction {
        let params = request.params ?? .object([:])
        if let problem = Self.setupCodeParams.problems(of: params).first {
            let message = "invalid device.pair.setupCode params: \(problem)"
            return Self.refuse(request, GatewayFailure(code: "INVALID_REQUEST", message: message))
        }
        let url = params["publicUrl"]?.string ?? openClaw.url
        let isLimited = params["bootstrapProfile"] != nil || !url.hasPrefix("wss://")
        let access = params["bootstrapProfile"]?.string ?? (isLimited ? "limited" : "full")
        var payload: [String: JSONValue] = [
            "setupCode": .secret(
                openClaw.makeSetupCode(url: url, isLimited: access != "full", at: time, using: &generator)
            ),
            "gatewayUrl": .string(url), "auth": .string("token"), "urlSource": .string("config"),
            "access": .string(access),
        ]
        if isLimited, params["bootstrapProfile"] == nil { payload["accessDowngraded"] = true }
        return Self.answer(request, .object(payload))
    }
}

extension GatewayFailure {
    /// Creates the refusal of a request for want of a scope, as gateways of an era send it.
    fileprivate init(missing scope: String, in era: OpenClawEra) {
        let message = "missing scope: \(scope)"
        guard era.namesMissingScopes else {
            self.init(code: "INVALID_REQUEST", message: message)
            return
        }
        self.init(
            code: "FORBIDDEN",
            message: message,
            details: .object([
                "code": "MISSING_SCOPE", "missingScope": .string(scope), "requiredScopes": .array([.string(scope)]),
            ])
        )
    }
}

/// The reason why an operator's command about devices is refused.
struct OperatorRefusal: Error, Hashable, Sendable {
    let message: String
}
