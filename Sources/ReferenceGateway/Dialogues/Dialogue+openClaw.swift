internal import GatewayProtocol

/// A released OpenClaw gateway: a challenge at once, `connect` first, and nothing else before.
extension Dialogue {
    func openClaw(
        _ message: [UInt8],
        _ state: inout GatewayState,
        _ generator: inout some RandomNumberGenerator
    ) throws(GatewayMessageError) -> [GatewayAction] {
        guard case .request(let request) = try GatewayFrame(parsing: message) else {
            return [.note("\(peer) sends what is no request"), .close(1_008)]
        }
        guard token == nil else { return [answer(request, state)] }
        guard request.method == "connect" else {
            let failure = GatewayFailure(
                code: "INVALID_REQUEST",
                message: "invalid handshake: first request must be connect"
            )
            return [
                .note("\(peer) says \(request.method) before it connects"), GatewayState.refuse(request, failure),
                .close(1_008, reason: failure.message),
            ]
        }
        let auth = request.params?["auth"]
        guard let token = (auth?["deviceToken"] ?? auth?["token"])?.string, let pairing = state.pairing(token: token)
        else {
            let failure = GatewayFailure(
                code: "NOT_PAIRED",
                message: "pairing required",
                details: .object([
                    "code": "PAIRING_REQUIRED", "reason": "not-paired",
                    "requestId": .string(state.pairingRequest(OpenClawRequester(request.params), using: &generator)),
                ])
            )
            return [
                .note("\(peer) connects without being paired"), GatewayState.refuse(request, failure),
                .close(1_008, reason: failure.message),
            ]
        }
        return [
            .note("\(peer) connects as device \(pairing.deviceID)"),
            .admit(token: pairing.token),
            GatewayState.answer(request, state.hello(pairing, connection: peer.connection)),
        ]
    }

    private func answer(_ request: GatewayRequest, _ state: GatewayState) -> GatewayAction {
        switch request.method {
        case "agents.list":
            let agents = state.bots.map { bot -> JSONValue in
                var identity: [String: JSONValue] = ["name": .string(bot.name)]
                identity["emoji"] = bot.emoji.map(JSONValue.string)
                return .object(["id": .string(bot.id.text), "name": .string(bot.name), "identity": .object(identity)])
            }
            var payload: [String: JSONValue] = ["agents": .array(agents)]
            payload["defaultId"] = state.bots.first.map { .string($0.id.text) }
            return GatewayState.answer(request, .object(payload))
        case "health":
            return GatewayState.answer(request, .object(["ok": true]))
        default:
            let failure = GatewayFailure(code: "INVALID_REQUEST", message: "unknown method")
            return GatewayState.refuse(request, failure)
        }
    }
}
