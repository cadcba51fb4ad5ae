internal import GatewayProtocol

/// OpenAgents, as far as its greeting goes: a client says hello with the one token of the gateway, or the connection ends.
/// The envelopes that follow are read, and not answered.
extension Dialogue {
    func openAgents(_ message: [UInt8], _ state: GatewayState) throws(GatewayMessageError) -> [GatewayAction] {
        let json = try JSONValue(parsing: message)
        guard isAdmitted else {
            guard case .hello(let token) = try OpenAgentsMessage(json: json), let own = state.openAgentsToken,
                token == own, let text = own.revealed
            else { return [.note("\(peer) says hello without the token"), .close(1_008)] }
            return [
                .note("\(peer) connects"), .admit(token: text),
                .send(OpenAgentsMessage.helloAck(token: own).encoded),
            ]
        }
        let event = try GatewayEvent(message: json)
        guard event.name != "Hello", event.name != "HelloAck" else {
            return [.note("\(peer) says hello again"), .close(1_008)]
        }
        return [.note("\(peer) sends an envelope")]
    }
}
