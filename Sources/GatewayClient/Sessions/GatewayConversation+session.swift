package import DNSSD
package import GatewayProtocol

extension GatewayConversation {
    /// The most events that may come before the challenge, since some ports of the gateway send other events first.
    private static let eventsBeforeChallenge = 16

    /// Connects, authenticates, and runs the closure in the session. After a refusal it tries again where another form
    /// of the request may work, at most twice: older gateways refuse the newer signature, and some want the device
    /// token under its own name.
    ///
    /// - Parameters:
    ///   - request: The session to ask for.
    ///   - endpoints: The addresses of the gateway, tried as in RFC 8305.
    ///   - transport: With TLS or without, and which certificate is required.
    ///   - limits: The limits on what is received, and on how long connecting may take.
    /// - Throws: ``/GatewayProtocol/SessionRefusal``, ``GatewayConnectionError``, and the errors that the gate and the
    ///   closure throw.
    package static func withSession<Value: Sendable>(
        _ request: SessionRequest,
        to endpoints: [Endpoint],
        transport: GatewayTransport,
        limits: ConnectionLimits = .session,
        _ body: (GatewayConversation, SessionGrant) async throws -> Value
    ) async throws -> Value {
        var request = request
        while true {
            let outcome: SessionOutcome<Value> = try await withConversation(
                to: endpoints,
                transport: transport,
                limits: limits,
                speaking: request.dialect
            ) { conversation in
                let grant: SessionGrant
                do {
                    grant = try await conversation.authenticate(request)
                } catch let refusal as SessionRefusal {
                    return .refused(refusal)
                }
                return .ended(try await body(conversation, grant))
            }
            switch outcome {
            case .ended(let value): return value
            case .refused(let refusal):
                guard let other = request.alternative(to: refusal) else { throw refusal }
                request = other
            }
        }
    }

    /// Authenticates this device: waits for the challenge where the dialect has one, and sends `connect`. Call it once,
    /// before any other request.
    ///
    /// - Throws: ``/GatewayProtocol/SessionRefusal`` where the gateway refuses, which then closes the connection. The
    ///   error that the gate throws, with nothing sent. ``GatewayConnectionError`` where no answer came.
    package func authenticate(_ request: SessionRequest) async throws -> SessionGrant {
        do {
            if request.dialect == .clawline { return try await authenticateClawline(request) }
            if request.dialect == .bridge { return try await authenticateBridge(request) }
            if request.dialect == .openAgents { return try await authenticateOpenAgents(request) }
            let params = try await parameters(request)
            let start = ContinuousClock.now
            let response = try await self.request("connect", params: params, timeout: request.timeout)
            switch response.outcome {
            case .success(let payload):
                return SessionGrant(path: path, hello: try HelloOK(json: payload), roundTrip: .now - start)
            case .failure(let failure):
                throw SessionRefusal(failure, dialect: request.dialect, credential: request.credential.kind)
            }
        } catch let error as GatewayConnectionError {
            throw error.refusal(dialect: request.dialect, credential: request.credential.kind) ?? error
        } catch let error as GatewayMessageError {
            throw GatewayConnectionError(.notUnderstood, "expected a greeting, found another answer: \(error.message)")
        }
    }

    /// Returns the parameters of `connect`. The gate is called last, so that nothing happens between its decision and
    /// the sending.
    private func parameters(_ request: SessionRequest) async throws -> JSONValue {
        let device = request.device
        let gate = {
            if request.credential.isSecret { try await request.gate(self.path, request.credential.kind) }
        }
        switch request.dialect {
        case .openClaw:
            let challenge = try await challenge(within: request.timeout)
            let connect = OpenClawConnect(
                clientVersion: device.version,
                platform: device.platform,
                displayName: device.name,
                scopes: request.scopes,
                deviceID: device.openClawID,
                publicKey: device.publicKey,
                // With the gateway's own time a wrong clock here does not matter.
                signedAt: challenge.timestamp ?? request.time,
                nonce: challenge.nonce,
                credential: request.credential,
                namesDeviceToken: request.namesDeviceToken
            )
            let signed = connect.signedText(request.signature)
            defer { signed.wipe() }
            let params = connect.json(signature: try device.sign(signed))
            try await gate()
            return params
        case .optaplus:
            guard let token = request.credential.secret else {
                throw SessionRefusal(dialect: .optaplus, reason: .tokenMissing, credential: .none)
            }
            try await gate()
            return OptaplusConnect(
                deviceID: device.id,
                clientVersion: device.version,
                platform: device.platform,
                token: token
            ).json
        case .bridge, .openAgents, .clawline:
            let name = request.dialect.rawValue
            throw GatewayConnectionError(.notUnderstood, "expected a dialect with sessions, found \(name)")
        }
    }

    /// Waits for the challenge, and skips a few other events before it.
    private func challenge(within timeout: Duration) async throws(GatewayConnectionError) -> ConnectChallenge {
        typealias Found = Result<ConnectChallenge?, GatewayConnectionError>
        let found = await withTaskGroup(of: Found.self) { tasks in
            tasks.addTask { await self.nextChallenge() }
            tasks.addTask {
                try? await Task.sleep(for: timeout)
                return .success(nil)
            }
            let first = await tasks.next()
            tasks.cancelAll()
            return first ?? .success(nil)
        }
        if let challenge = try found.get() { return challenge }
        if Task.isCancelled { throw GatewayConnectionError(.cancelled, "the task was cancelled") }
        throw GatewayConnectionError(.timedOut, "expected a challenge of the gateway in \(timeout), found none")
    }

    private func nextChallenge() async -> Result<ConnectChallenge?, GatewayConnectionError> {
        do throws(GatewayConnectionError) {
            for _ in 0...Self.eventsBeforeChallenge {
                guard let frame = try await nextFrame() else { return .success(nil) }
                guard case .event(let event) = frame, let challenge = ConnectChallenge(event) else { continue }
                return .success(challenge)
            }
            throw GatewayConnectionError(.notUnderstood, "expected a challenge of the gateway, found other events")
        } catch {
            return .failure(error)
        }
    }
}

extension GatewayConnectionError {
    /// Returns the gateway's refusal, where the gateway closed the connection with a code that is one; `nil` where the
    /// connection ended in any other way.
    ///
    /// - Parameters:
    ///   - dialect: The dialect of the gateway.
    ///   - credential: The kind of credential of the session.
    package func refusal(dialect: GatewayDialect, credential: SessionCredential.Kind) -> SessionRefusal? {
        guard code == .closed, let close, let number = close.code else { return nil }
        return SessionRefusal(closeCode: number, text: close.reason, dialect: dialect, credential: credential)
    }
}

/// The result of one attempt. The connection of a refused attempt has to end before the next attempt begins.
private enum SessionOutcome<Value: Sendable>: Sendable {
    case ended(Value)
    case refused(SessionRefusal)
}
