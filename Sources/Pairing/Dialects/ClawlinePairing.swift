internal import GatewayClient
internal import GatewayProtocol

/// Pairing in Clawline's dialect: one request, whose answer comes over the same connection once an admin has decided.
struct ClawlinePairing: PairingDialect {
    /// The time after which a request that has no answer is shown as one that waits.
    private static let answerTimeout = Duration.seconds(1)

    /// The time after which the request is given up. The provider gives it up sooner, and says so.
    private static let decisionTimeout = Duration.seconds(900)

    /// The greatest length of the name that a device claims, in bytes.
    private static let nameLimit = 64

    func pair(
        _ attempt: PairingAttempt,
        as device: DeviceDescription,
        through connection: PairingConnection
    ) async throws -> PairingGrant {
        let request = ClawlineMessage.pairRequest(
            deviceID: device.id,
            claimedName: (attempt.claimedName ?? device.name).cut(toBytes: Self.nameLimit),
            deviceInfo: .object(["platform": .string(device.platform), "model": "clawradar"])
        )
        // Nothing is sent in another version of the protocol.
        try await ClawlineVersion.check(
            at: connection.endpoints,
            transport: connection.transport,
            limits: connection.limits
        )
        let answer = try await GatewayConversation.withConversation(
            to: connection.endpoints,
            transport: connection.transport,
            limits: connection.limits,
            speaking: .clawline
        ) { gateway in
            // The answer contains the token.
            try await connection.check(gateway.path)
            try gateway.say(request.json)
            return try await self.answer(about: device.id, gateway, connection)
        }
        switch answer {
        case .pairResult(.success(let grant)): return try Self.grant(grant, attempt)
        case .pairResult(.failure(let refusal)): throw SessionRefusal(clawline: refusal.reason, credential: .none)
        case .error("invalid_message", let text) where text.lowercased().contains("already paired"):
            throw PairingError(
                .refused,
                "expected a provider that does not know this device, found one that has paired it before, and gives no "
                    + "second token: its operator must remove device \(device.id) first"
            )
        case .error(let code, let text): throw SessionRefusal(clawline: code, message: text, credential: .none)
        case .pairRequest, .auth, .authResult, .pairApprovalRequest, .pairDecision:
            throw PairingError(.notReached, "expected the result of the request, found another answer")
        }
    }

    /// Waits for the answer, and shows the wait if it lasts.
    private func answer(
        about id: String,
        _ gateway: GatewayConversation,
        _ connection: PairingConnection
    ) async throws -> ClawlineMessage {
        try await withThrowingTaskGroup(of: ClawlineMessage.self) { tasks in
            tasks.addTask { try await gateway.clawlineResult(within: Self.decisionTimeout) }
            tasks.addTask {
                try await Task.sleep(for: Self.answerTimeout)
                let refusal = SessionRefusal(dialect: .clawline, reason: .notPaired, credential: .none, requestID: id)
                guard await connection.waits(refusal) else { throw Self.cancelled }
                while true {
                    // The provider drops connections that are silent for 90 s, and so does this device.
                    try await Task.sleep(for: .seconds(30))
                    _ = try await gateway.ping(timeout: .seconds(60))
                }
            }
            defer { tasks.cancelAll() }
            guard let first = try await tasks.next() else { throw Self.cancelled }
            return first
        }
    }

    private static let cancelled = GatewayConnectionError(.cancelled, "the pairing was given up")

    /// Returns what a provider has granted. It tells no bots, and counts as one, with its own name.
    private static func grant(_ grant: ClawlineGrant, _ attempt: PairingAttempt) throws -> PairingGrant {
        guard let bot = BotID("clawline"), !grant.token.isEmpty else { return PairingGrant(bots: [], tokens: []) }
        return PairingGrant(
            bots: [BotDescription(id: bot, name: attempt.name ?? attempt.offer.name)],
            tokens: [PairingGrant.Token(bots: [], secret: grant.token, scopes: [])]
        )
    }

    /// Always throws: there is no message for it.
    func unpair(_ bots: BotSelection, as device: DeviceDescription, through connection: PairingConnection) async throws
    {
        throw PairingError(
            .unsupported,
            "expected a gateway that a device can leave by itself, found a Clawline provider: its operator can remove "
                + "device \(device.id)"
        )
    }
}
