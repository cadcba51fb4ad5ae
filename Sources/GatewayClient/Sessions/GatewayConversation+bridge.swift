package import GatewayProtocol

/// Sessions and pairing in the dialect of a Clawdbot bridge: a greeting, and its answer.
extension GatewayConversation {
    /// The most other messages that may come before an answer. While a request to pair waits, a bridge may refuse each
    /// ping.
    private static let messagesBeforeAnswer = 64

    /// Asks for a session with the token of this device.
    ///
    /// - Throws: As ``authenticate(_:)`` does.
    func authenticateBridge(_ request: SessionRequest) async throws -> SessionGrant {
        let kind = request.credential.kind
        guard let token = request.credential.secret else {
            throw SessionRefusal(dialect: .bridge, reason: .tokenMissing, credential: .none)
        }
        let hello = BridgeMessage.hello(request.device.bridgeDevice(token: token)).json
        try await request.gate(path, kind)
        let start = ContinuousClock.now
        try say(hello)
        switch try await bridgeAnswer(within: request.timeout) {
        case .helloOK:
            return SessionGrant(path: path, hello: HelloOK(), roundTrip: .now - start)
        case .error(let code, let message):
            throw SessionRefusal(bridge: code, message: message, credential: kind)
        case .hello, .pairRequest, .pairOK, .request, .response, .ping, .pong:
            throw GatewayConnectionError(.notUnderstood, "expected a greeting, found another answer")
        }
    }

    /// Waits for a greeting, a token or an error, and skips a few other messages before it.
    ///
    /// - Throws: ``GatewayConnectionError`` `timedOut`, `cancelled`, or the one with which the conversation has ended.
    package func bridgeAnswer(within timeout: Duration) async throws(GatewayConnectionError) -> BridgeMessage {
        try await message(within: timeout, skipping: Self.messagesBeforeAnswer) { json in
            guard let message = try? BridgeMessage(json: json) else { return nil }
            switch message {
            // This is the answer to a ping before the greeting, and decides nothing.
            case .error(_, "not authenticated"): return nil
            case .helloOK, .pairOK, .error: return message
            case .hello, .pairRequest, .request, .response, .ping, .pong: return nil
            }
        }
    }
}

extension DeviceDescription {
    /// The greatest length of the name that a device gives itself, in bytes.
    private static let nameLimit = 64

    /// Returns the details with which this device introduces itself to a bridge.
    package func bridgeDevice(token: Secret? = nil) -> BridgeDevice {
        BridgeDevice(
            nodeID: id,
            displayName: name.cut(toBytes: Self.nameLimit),
            platform: platform,
            version: version,
            token: token
        )
    }
}
