package import GatewayProtocol

/// Sessions and pairing in the dialect of OpenAgents: a greeting with the gateway's one token, and its answer.
extension GatewayConversation {
    /// The most other messages that may come before the answer to the greeting.
    private static let messagesBeforeAnswer = 16

    /// The time for a sign of life after the answer to the greeting.
    private static let longestSilence = Duration.seconds(5)

    /// The answer to a greeting.
    private enum Greeting: Sendable {
        case acknowledged
        case malformed
    }

    /// Asks for a session with the gateway's token.
    ///
    /// - Throws: As ``authenticate(_:)`` does.
    func authenticateOpenAgents(_ request: SessionRequest) async throws -> SessionGrant {
        let kind = request.credential.kind
        guard let token = request.credential.secret, !token.isEmpty else {
            throw SessionRefusal(dialect: .openAgents, reason: .tokenMissing, credential: .none)
        }
        let hello = OpenAgentsMessage.hello(token: token).json
        try await request.gate(path, kind)
        let start = ContinuousClock.now
        do throws(GatewayConnectionError) {
            try await greet(with: hello, within: request.timeout)
        } catch {
            throw error.openAgentsRefusal(credential: kind) ?? error
        }
        let grant = SessionGrant(path: path, hello: HelloOK(), roundTrip: .now - start)
        try await checkGreeting(of: kind, within: min(request.timeout, Self.longestSilence))
        return grant
    }

    /// Asks, without a token, whether a gateway of OpenAgents is at the other end, where one is expected. It answers, or
    /// hangs up on the missing token.
    package func isOpenAgents(within timeout: Duration = .seconds(5)) async -> Bool {
        do throws(GatewayConnectionError) {
            try await greet(with: OpenAgentsMessage.hello(token: Secret("")).json, within: timeout)
            return true
        } catch {
            return error.code == .closed
        }
    }

    /// Checks that a gateway which has answered the greeting is still there afterwards: one that answers before it has read
    /// the token hangs up if that is wrong.
    ///
    /// - Parameters:
    ///   - credential: The kind of credential that was sent.
    ///   - timeout: The time for a sign of life. A gateway that has too much to say to give one in time has not hung up.
    /// - Throws: ``/GatewayProtocol/SessionRefusal`` if it has hung up, or ``GatewayConnectionError``.
    private func checkGreeting(of credential: SessionCredential.Kind, within timeout: Duration) async throws {
        do throws(GatewayConnectionError) {
            _ = try await ping(timeout: timeout)
        } catch {
            if let refusal = error.openAgentsRefusal(credential: credential) { throw refusal }
            guard error.code == .timedOut else { throw error }
        }
    }

    private func greet(with hello: JSONValue, within timeout: Duration) async throws(GatewayConnectionError) {
        try say(hello)
        let greeting: Greeting = try await message(within: timeout, skipping: Self.messagesBeforeAnswer) { json in
            guard json["type"]?.string == "HelloAck" else { return nil }
            return (try? OpenAgentsMessage(json: json)) == nil ? .malformed : .acknowledged
        }
        guard case .acknowledged = greeting else {
            throw GatewayConnectionError(.notUnderstood, "expected a HelloAck, found one that breaks the rules")
        }
    }
}

extension GatewayConnectionError {
    /// Returns the refusal that the end of a connection means after the token was sent over it; `nil` where the connection
    /// failed in another way. A gateway that says that it restarts, or why else it ends the connection, has said nothing
    /// of the token.
    ///
    /// - Parameter credential: The kind of credential that was sent.
    package func openAgentsRefusal(credential: SessionCredential.Kind) -> SessionRefusal? {
        guard code == .closed else { return nil }
        let known = refusal(dialect: .openAgents, credential: credential)
        if let known, known.reason != .closed || close?.code == 1_001 { return known }
        return SessionRefusal(
            dialect: .openAgents,
            reason: .hungUp,
            credential: credential,
            message: String(decoding: close?.reason ?? [], as: UTF8.self)
        )
    }
}
