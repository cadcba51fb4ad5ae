internal import GatewayClient
internal import GatewayProtocol

/// Pairing in the dialect of OpenAgents: a gateway issues no tokens, but has one for all devices, which its user gives. It
/// is kept once the gateway has taken it, if that has TLS.
struct OpenAgentsPairing: PairingDialect {
    func pair(
        _ attempt: PairingAttempt,
        as device: DeviceDescription,
        through connection: PairingConnection
    ) async throws -> PairingGrant {
        // It is asked for nothing before its token is known.
        guard let token = attempt.credential.secret else {
            throw SessionRefusal(dialect: .openAgents, reason: .tokenMissing, credential: .none)
        }
        let request = SessionRequest(
            dialect: .openAgents,
            device: device,
            credential: attempt.credential,
            time: connection.time,
            gate: { path, _ in try await connection.check(path) }
        )
        try await GatewayConversation.withSession(
            request,
            to: connection.endpoints,
            transport: connection.transport,
            limits: connection.limits
        ) { _, _ in }
        // It tells no bots, and counts as one, with its own name.
        guard let bot = BotID("openagents") else { return PairingGrant(bots: [], tokens: []) }
        return PairingGrant(
            bots: [BotDescription(id: bot, name: attempt.name ?? attempt.offer.name)],
            // Without TLS it is not kept: each session asks for it.
            tokens: [
                PairingGrant.Token(bots: [], secret: connection.policy.isPlain ? Secret("") : token, scopes: [])
            ]
        )
    }

    /// Always throws: there is no message for it, and the gateway knows no devices.
    func unpair(_ bots: BotSelection, as device: DeviceDescription, through connection: PairingConnection) async throws
    {
        throw PairingError(
            .unsupported,
            "expected a gateway that a device can leave, found one of OpenAgents, which knows no devices: whoever has its "
                + "token can use it until that is changed"
        )
    }
}
