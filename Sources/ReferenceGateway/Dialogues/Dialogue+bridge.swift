internal import GatewayProtocol

/// A Clawdbot bridge, which speaks lines of JSON. It approves devices at once, where a real one has a person decide.
extension Dialogue {
    func bridge(
        _ message: BridgeMessage,
        _ state: inout GatewayState,
        _ generator: inout some RandomNumberGenerator
    ) throws(GatewayMessageError) -> [GatewayAction] {
        let hello = GatewayAction.send(BridgeMessage.helloOK(serverName: state.name).encoded)
        switch message {
        case .hello(let device):
            guard let token = device.token, let pairing = state.pairing(token: token) else {
                let error = BridgeMessage.error(code: "NOT_PAIRED", message: "pairing required")
                return [.note("\(peer) says hello without being paired"), .send(error.encoded)]
            }
            return [.note("\(peer) connects as device \(pairing.deviceID)"), .admit(token: pairing.token), hello]
        case .pairRequest(let device):
            let name = device.displayName ?? device.nodeID
            let result = state.pair(deviceID: device.nodeID, deviceName: name, bots: [nil], using: &generator)
            guard let result, let pairing = result.added.first else {
                let error = BridgeMessage.error(code: "UNAUTHORIZED", message: "pairing rejected")
                return [.note("\(peer) wants to pair, and there are too many pairings"), .send(error.encoded)]
            }
            return [
                .note("\(peer) paired device \(device.nodeID) (\(name))"), .save, .revoke(result.ended),
                .admit(token: pairing.token), .send(BridgeMessage.pairOK(token: pairing.token).encoded), hello,
            ]
        case .request(let id, let method, _):
            let note = GatewayAction.note("\(peer) asks for \(method)")
            let outcome: Result<String?, GatewayFailure> =
                switch (token, method) {
                case (nil, _): .failure(GatewayFailure(code: "UNAUTHORIZED", message: "not authenticated"))
                case (.some, "health"): .success(#"{"ok":true}"#)
                case (.some, _): .failure(GatewayFailure(code: "FORBIDDEN", message: "method not allowed"))
                }
            return [note, .send(BridgeMessage.response(id: id, outcome: outcome).encoded)]
        case .ping(let id):
            return [.send(BridgeMessage.pong(id: id).encoded)]
        case .pong:
            return []
        case .helloOK, .pairOK, .error, .response:
            return [.note("\(peer) speaks as if it were a bridge"), .close(1_008)]
        }
    }
}
