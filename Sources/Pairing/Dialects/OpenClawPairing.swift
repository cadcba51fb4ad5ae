internal import GatewayClient
internal import GatewayProtocol

/// Pairing in OpenClaw's dialect: a device connects again and again until its operator has approved it, and finds its token in the
/// greeting.
struct OpenClawPairing: PairingDialect {
    func pair(
        _ attempt: PairingAttempt,
        as device: DeviceDescription,
        through door: PairingDoor
    ) async throws -> PairingGrant {
        let request = SessionRequest(
            dialect: .openClaw,
            device: device,
            credential: attempt.credential,
            time: door.time,
            gate: { path, _ in try door.check(path) }
        )
        return try await GatewayConversation.withSession(
            request,
            to: door.endpoints,
            transport: door.transport,
            resource: door.resource,
            limits: door.limits
        ) { gateway, grant in
            // A token that came over another way than the one consented to is not taken, though nothing was sent there.
            try door.check(grant.path)
            guard let token = grant.hello.deviceToken else { return PairingGrant(bots: [], tokens: []) }
            let bots = try await self.bots(gateway, grant).filter { bot in
                switch attempt.bots {
                case .all: true
                case .some(let ids): ids.contains(bot.id)
                }
            }
            let scopes = grant.hello.scopes ?? request.scopes
            return PairingGrant(bots: bots, tokens: [PairingGrant.Token(bots: [], secret: token, scopes: scopes)])
        }
    }

    /// The gateway's bots; where it does not list them, those that its greeting names.
    private func bots(_ gateway: GatewayConversation, _ grant: SessionGrant) async throws -> [BotDescription] {
        let answer = try await gateway.request("agents.list", params: .object([:]))
        guard case .success(let payload) = answer.outcome, let list = try? AgentList(json: payload), !list.bots.isEmpty
        else { return grant.hello.bots }
        return list.bots
    }

    /// A device without the scope of an operator cannot remove itself.
    func unpair(_ bots: BotSelection, as device: DeviceDescription, through door: PairingDoor) async throws {
        throw PairingError(
            .unsupported,
            "expected a gateway that a device can leave by itself, found an OpenClaw gateway. On its host: "
                + "openclaw devices remove \(device.openClawID)"
        )
    }
}
