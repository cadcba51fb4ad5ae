package import GatewayProtocol

/// Sessions and pairing in Clawline's dialect: one message each, and its result.
extension GatewayConversation {
    /// The most messages that may come before a result.
    private static let messagesBeforeResult = 16

    /// Asks for a session with the token of this device.
    ///
    /// - Throws: As ``authenticate(_:)`` does.
    func authenticateClawline(_ request: SessionRequest) async throws -> SessionGrant {
        guard let token = request.credential.secret else {
            throw SessionRefusal(dialect: .clawline, reason: .tokenMissing, credential: .none)
        }
        let message = ClawlineMessage.auth(
            token: token,
            deviceID: request.device.id,
            lastMessageID: request.lastMessageID
        ).json
        try await request.gate(path, request.credential.kind)
        let start = ContinuousClock.now
        try say(message)
        let answer = try await clawlineResult(within: request.timeout)
        guard case .authResult(let result) = answer else {
            if case .error(let code, let text) = answer {
                throw SessionRefusal(clawline: code, message: text, credential: request.credential.kind)
            }
            throw GatewayConnectionError(.notUnderstood, "expected the result of a session, found another answer")
        }
        switch result {
        case .success(let session):
            return SessionGrant(path: path, hello: HelloOK(), clawline: session, roundTrip: .now - start)
        case .failure(let refusal):
            throw SessionRefusal(clawline: refusal.reason, credential: request.credential.kind)
        }
    }

    /// Waits for a result or an error, and skips a few other messages before it.
    ///
    /// - Throws: ``GatewayConnectionError`` `timedOut`, `cancelled`, or the one with which the conversation has ended.
    package func clawlineResult(within timeout: Duration) async throws(GatewayConnectionError) -> ClawlineMessage {
        try await message(within: timeout, skipping: Self.messagesBeforeResult) { json in
            switch try? ClawlineMessage(json: json) {
            case .pairResult, .authResult, .error: try? ClawlineMessage(json: json)
            case .pairRequest, .auth, .pairApprovalRequest, .pairDecision, nil: nil
            }
        }
    }
}
