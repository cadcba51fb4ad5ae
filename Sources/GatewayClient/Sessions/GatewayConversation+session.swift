public import DNSSD
public import GatewayProtocol

extension GatewayConversation {
    /// The most events that may come before the challenge: ports of others send some.
    private static let eventsBeforeChallenge = 16

    /// Connects, authenticates, and runs the closure in the session; at most twice, since older gateways refuse the newer signature.
    ///
    /// - Parameters:
    ///   - request: The session that is asked for.
    ///   - endpoints: The addresses of the gateway, tried as in RFC 8305.
    ///   - transport: With TLS or without, and which certificate is demanded.
    ///   - resource: The path to upgrade on.
    ///   - limits: What is taken in, and how long connecting may take.
    /// - Throws: ``/GatewayProtocol/SessionRefusal``, ``GatewayConnectionError``, and what the gate or the closure throws.
    public static func withSession<Value: Sendable>(
        _ request: SessionRequest,
        to endpoints: [Endpoint],
        transport: GatewayTransport,
        resource: String = "/",
        limits: ConnectionLimits = .session,
        _ body: (GatewayConversation, SessionGrant) async throws -> Value
    ) async throws -> Value {
        var request = request
        while true {
            let outcome: SessionOutcome<Value> = try await withConversation(
                to: endpoints,
                transport: transport,
                resource: resource,
                limits: limits
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

    /// Authenticates this device: waits for the challenge where the dialect has one, and sends `connect`. To be called before anything
    /// else is asked, once.
    ///
    /// - Throws: ``/GatewayProtocol/SessionRefusal`` where the gateway refuses; it closes the connection then. What the gate throws,
    ///   with nothing sent. ``GatewayConnectionError`` where no answer came.
    public func authenticate(_ request: SessionRequest) async throws -> SessionGrant {
        do {
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

    /// The parameters of `connect`. The gate is asked last, so that nothing lies between its word and sending.
    private func parameters(_ request: SessionRequest) async throws -> JSONValue {
        let device = request.device
        let gate = {
            if request.credential.isSecret { try request.gate(self.path, request.credential.kind) }
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
            let params = connect.json(signature: try device.sign(connect.signedText(request.signature)))
            try gate()
            return params
        case .optaplus:
            guard let token = request.credential.secret else {
                throw SessionRefusal(dialect: .optaplus, reason: .tokenMissing, credential: .none)
            }
            try gate()
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

    /// Waits for the challenge, past a few other events.
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
    /// The gateway's refusal, where it closed the connection with a word that is one; `nil` where the connection ended otherwise.
    ///
    /// - Parameters:
    ///   - dialect: The dialect of the gateway.
    ///   - credential: The kind of credential of the session.
    public func refusal(dialect: GatewayDialect, credential: SessionCredential.Kind) -> SessionRefusal? {
        guard code == .closed, let close, let number = close.code else { return nil }
        return SessionRefusal(closeCode: number, text: close.reason, dialect: dialect, credential: credential)
    }
}

/// The result of one attempt: the connection of a refused one has to end before the next begins.
private enum SessionOutcome<Value: Sendable>: Sendable {
    case ended(Value)
    case refused(SessionRefusal)
}
