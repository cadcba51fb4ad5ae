internal import GatewayProtocol

/// OpenAgents and Clawline, as far as their greetings go. Devices are approved at once, where a real gateway has a
/// person decide.
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

    func clawline(
        _ message: ClawlineMessage,
        _ state: inout GatewayState,
        _ generator: inout some RandomNumberGenerator
    ) -> [GatewayAction] {
        switch message {
        case .pairRequest(let deviceID, let claimedName, _):
            let name = claimedName ?? deviceID
            let result = state.pair(deviceID: deviceID, deviceName: name, bots: [nil], using: &generator)
            guard let result, let pairing = result.added.first else {
                let answer = ClawlineMessage.pairResult(.failure(ClawlineRefusal(reason: "pair_rejected")))
                return [.note("\(peer) wants to pair, and there are too many pairings"), .send(answer.encoded)]
            }
            let grant = ClawlineGrant(token: pairing.token, userID: deviceID)
            return [
                .note("\(peer) paired device \(deviceID) (\(name))"), .save,
                .send(ClawlineMessage.pairResult(.success(grant)).encoded), .revoke(result.ended),
            ]
        case .auth(let token, let deviceID, _):
            guard let pairing = state.pairing(token: token), pairing.deviceID == deviceID else {
                let answer = ClawlineMessage.authResult(.failure(ClawlineRefusal(reason: "auth_failed")))
                return [.note("\(peer) connects without being paired"), .send(answer.encoded), .close(1_008)]
            }
            let session = ClawlineSession(userID: deviceID, sessionID: "\(peer.connection)")
            return [
                .note("\(peer) connects as device \(deviceID)"), .admit(token: pairing.token),
                .send(ClawlineMessage.authResult(.success(session)).encoded),
            ]
        case .pairResult, .authResult:
            return [.note("\(peer) speaks as if it were a provider"), .close(1_008)]
        }
    }
}
