internal import GatewayProtocol

/// A Clawdbot bridge, which speaks lines of JSON: devices wait until its operator decides, and each has one session.
extension Dialogue {
    mutating func bridge(
        _ line: [UInt8],
        _ state: inout GatewayState,
        at time: GatewayTime,
        _ generator: inout some RandomNumberGenerator
    ) throws(GatewayMessageError) -> [GatewayAction] {
        let json = try JSONValue(parsing: line)
        if let type = json["type"]?.string, Self.unansweredTypes.contains(type) {
            if token != nil {
                if type == "invoke-res" {
                    state.bridge.answers = (state.bridge.answers + [Self.result(json)]).suffix(16)
                }
                return []
            }
            return Self.refuse("UNAUTHORIZED", "not authenticated", "\(peer) sends \(type) without a session")
        }
        let message: BridgeMessage
        do throws(GatewayMessageError) {
            message = try BridgeMessage(json: json)
        } catch {
            guard error.code != .unknownMessage, json["type"] != nil else { throw error }
            return Self.refuse("INVALID_REQUEST", error.message, "\(peer) sends what is no request")
        }
        switch message {
        case .hello(let device): return greet(device, state)
        case .pairRequest(let device): return pairBridge(device, &state, at: time, &generator)
        case .request(let id, let method, _):
            let outcome: Result<String?, GatewayFailure> =
                switch (token, method) {
                case (nil, _): .failure(GatewayFailure(code: "UNAUTHORIZED", message: "not authenticated"))
                case (.some, "health"): .success(#"{"ok":true}"#)
                case (.some, _): .failure(GatewayFailure(code: "FORBIDDEN", message: "method not allowed"))
                }
            let answer = BridgeMessage.response(id: id, outcome: outcome)
            return [.note("\(peer) asks for \(method)"), .send(answer.encoded)]
        case .ping(let id):
            guard token != nil else {
                return Self.refuse("UNAUTHORIZED", "not authenticated", "\(peer) pings without a session")
            }
            return [.send(BridgeMessage.pong(id: id).encoded)]
        case .pong: return []
        case .helloOK, .pairOK, .error, .response:
            return [.note("\(peer) speaks as if it were a bridge"), .close(1_008)]
        }
    }

    /// The types of messages of a device that get no answer.
    private static let unansweredTypes: Set<String> = ["event", "invoke-res"]

    private func greet(_ device: BridgeDevice, _ state: GatewayState) -> [GatewayAction] {
        guard !device.nodeID.isEmpty else {
            return Self.refuse("INVALID_REQUEST", "nodeId required", "\(peer) says hello without a name")
        }
        guard let token = device.token?.revealed, !token.isEmpty else {
            let isPaired = state.pairings.contains { $0.deviceID == device.nodeID }
            let note = "\(peer) says hello without a token"
            return Self.refuse(isPaired ? "UNAUTHORIZED" : "NOT_PAIRED", "pairing required", note)
        }
        guard let pairing = state.pairing(token: token), pairing.deviceID == device.nodeID else {
            let note = "\(peer) says hello as node \(device.nodeID) with a token that is not known"
            return Self.refuse("UNAUTHORIZED", "invalid token", note)
        }
        return [
            .note("\(peer) connects as device \(pairing.deviceID)"), .displace(token: token), .admit(token: token),
            .send(BridgeMessage.helloOK(serverName: state.name).encoded),
        ] + (state.bridge.invokesAtHello ? [.send(Self.command)] : [])
    }

    /// A command for a device.
    private static let command = JSONValue.object([
        "type": "invoke", "id": "invoke-1", "command": "camera.snap", "paramsJSON": "{}",
    ]).encoded

    /// Returns the code of the answer to a command; a failure has one.
    private static func result(_ json: JSONValue) -> String {
        guard json["id"]?.string == "invoke-1", let isOK = json["ok"]?.bool else { return "malformed" }
        return isOK ? "ok" : json["error"]?["code"]?.string?.cut(toBytes: 64) ?? "malformed"
    }

    private func pairBridge(
        _ device: BridgeDevice,
        _ state: inout GatewayState,
        at time: GatewayTime,
        _ generator: inout some RandomNumberGenerator
    ) -> [GatewayAction] {
        let name = device.displayName ?? device.nodeID
        guard !device.nodeID.isEmpty, device.nodeID.utf8.count <= 128 else {
            return Self.refuse("INVALID_REQUEST", "nodeId required", "\(peer) asks to pair without a name")
        }
        guard !state.bridge.approvesAll else {
            guard let grant = state.grantBridge(device.nodeID, name, using: &generator) else {
                return Self.refuse(
                    "UNAUTHORIZED",
                    "pairing rejected",
                    "\(peer) wants to pair, and there are too many pairings"
                )
            }
            let note = GatewayAction.note("\(peer) paired device \(device.nodeID) (\(name))")
            return [note, .save, .revoke(grant.ended), .admit(token: grant.token)] + grant.messages.map { .send($0) }
        }
        guard state.bridge.queue.wait(device.nodeID, name, on: peer.connection, at: time) else {
            return Self.refuse("UNAUTHORIZED", "pairing rejected", "\(peer) wants to pair, and too many devices wait")
        }
        return [
            .note("\(peer) asks to pair device \(device.nodeID) (\(name)): reference-gateway approve \(device.nodeID)"),
            .hold(deviceID: device.nodeID),
        ]
    }

    /// A bridge keeps the connection after an error: a device that was refused may ask to be paired.
    private static func refuse(_ code: String, _ message: String, _ note: String) -> [GatewayAction] {
        [.note(note), .send(BridgeMessage.error(code: code, message: message).encoded)]
    }
}
