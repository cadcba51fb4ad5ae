internal import GatewayProtocol

/// OpenAgents, as far as its greeting goes.
extension Dialogue {
    func openAgents(_ message: OpenAgentsMessage, _ state: GatewayState) -> [GatewayAction] {
        guard case .hello(let token) = message, let pairing = state.pairing(token: token) else {
            return [.note("\(peer) says hello without a token that is known"), .close(1_008)]
        }
        return [
            .note("\(peer) connects as device \(pairing.deviceID)"), .admit(token: pairing.token),
            .send(OpenAgentsMessage.helloAck(token: pairing.token).encoded),
        ]
    }
}
