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
        guard case .authResult(let result)? = answer else {
            if case .error(let code, let text)? = answer {
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
    /// - Returns: `nil` if the conversation ends, or the task is cancelled.
    /// - Throws: ``GatewayConnectionError`` `timedOut`, or the one with which the conversation has ended.
    package func clawlineResult(within timeout: Duration) async throws(GatewayConnectionError) -> ClawlineMessage? {
        typealias Found = Result<ClawlineMessage?, GatewayConnectionError>
        let found = await withTaskGroup(of: Found?.self) { tasks in
            tasks.addTask { await self.nextClawlineResult() }
            tasks.addTask {
                try? await Task.sleep(for: timeout)
                return nil
            }
            let first = await tasks.next() ?? nil
            tasks.cancelAll()
            return first
        }
        if let found { return try found.get() }
        if Task.isCancelled { throw Self.cancelled }
        throw GatewayConnectionError(.timedOut, "expected a result in \(timeout), found none")
    }

    private func nextClawlineResult() async -> Result<ClawlineMessage?, GatewayConnectionError> {
        do throws(GatewayConnectionError) {
            for _ in 0...Self.messagesBeforeResult {
                guard let frame = try await nextFrame() else { return .success(nil) }
                guard case .event(let event) = frame, let json = event.payload else { continue }
                switch try? ClawlineMessage(json: json) {
                case .pairResult, .authResult, .error: return .success(try? ClawlineMessage(json: json))
                case .pairRequest, .auth, nil: continue
                }
            }
            throw GatewayConnectionError(.notUnderstood, "expected a result, found other messages")
        } catch {
            return .failure(error)
        }
    }
}
