internal import GatewayClient
internal import GatewayProtocol

/// Pairing in the dialect of a Clawdbot bridge: a greeting, which is refused, and a request, whose answer comes over the
/// same connection once the bridge's operator has decided.
struct BridgePairing: PairingDialect {
    /// The time that the answer to the greeting may take.
    private static let helloTimeout = Duration.seconds(10)

    /// The time after which a request that has no answer is shown as one that waits.
    private static let answerTimeout = Duration.seconds(1)

    /// The time after which the request is given up. The bridge gives it up after five minutes, and says so.
    private static let decisionTimeout = Duration.seconds(310)

    /// The time between two pings while the request waits, and that without any word after which the link is dead.
    private static let (pingInterval, longestSilence) = (Duration.seconds(20), Duration.seconds(60))

    func pair(
        _ attempt: PairingAttempt,
        as device: DeviceDescription,
        through connection: PairingConnection
    ) async throws -> PairingGrant {
        let token: Secret? = try await GatewayConversation.withConversation(
            to: connection.endpoints,
            transport: connection.transport,
            limits: connection.limits,
            speaking: .bridge
        ) { gateway in
            // The answer contains the token.
            try await connection.check(gateway.path)
            try gateway.say(BridgeMessage.hello(device.bridgeDevice()).json)
            switch try await gateway.bridgeAnswer(within: Self.helloTimeout) {
            case .error("NOT_PAIRED", _), .error("UNAUTHORIZED", _): break
            case .error(let code, let text): throw SessionRefusal(bridge: code, message: text, credential: .none)
            // A bridge that lets everybody in grants no token.
            case .helloOK: return nil
            default: throw Self.notUnderstood
            }
            try gateway.say(BridgeMessage.pairRequest(device.bridgeDevice()).json)
            switch try await self.decision(about: device.id, gateway, connection) {
            case .pairOK(let token): return token
            case .error(let code, let text): throw SessionRefusal(bridge: code, message: text, credential: .none)
            default: throw Self.notUnderstood
            }
        }
        // It tells no bots, and counts as one, with its own name.
        guard let token, !token.isEmpty, let bot = BotID("bridge") else { return PairingGrant(bots: [], tokens: []) }
        return PairingGrant(
            bots: [BotDescription(id: bot, name: attempt.name ?? attempt.offer.name)],
            tokens: [PairingGrant.Token(bots: [], secret: token, scopes: [])]
        )
    }

    private static let notUnderstood = PairingError(
        .notReached,
        "expected the result of the request, found another answer"
    )

    /// Waits for the operator's decision, and shows the wait if it lasts.
    private func decision(
        about id: String,
        _ gateway: GatewayConversation,
        _ connection: PairingConnection
    ) async throws -> BridgeMessage {
        try await withThrowingTaskGroup(of: BridgeMessage.self) { tasks in
            tasks.addTask {
                do throws(GatewayConnectionError) {
                    return try await gateway.bridgeAnswer(within: Self.decisionTimeout)
                } catch {
                    guard error.code == .timedOut else { throw error }
                    throw SessionRefusal(dialect: .bridge, reason: .pairingTimedOut, credential: .none)
                }
            }
            tasks.addTask {
                try await Task.sleep(for: Self.answerTimeout)
                // The bridge's operator finds the request by the identifier of the node.
                let refusal = SessionRefusal(dialect: .bridge, reason: .notPaired, credential: .none, requestID: id)
                guard await connection.waits(refusal) else { throw Self.cancelled }
                while true {
                    try await Task.sleep(for: Self.pingInterval)
                    _ = try await gateway.ping(timeout: Self.longestSilence)
                }
            }
            defer { tasks.cancelAll() }
            guard let first = try await tasks.next() else { throw Self.cancelled }
            return first
        }
    }

    private static let cancelled = GatewayConnectionError(.cancelled, "the pairing was given up")

    /// Always throws: there is no message for it.
    func unpair(_ bots: BotSelection, as device: DeviceDescription, through connection: PairingConnection) async throws
    {
        throw PairingError(
            .unsupported,
            "expected a gateway that a device can leave by itself, found a Clawdbot bridge: its operator can remove node "
                + "\(device.id)"
        )
    }
}
