internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol

/// Pairing in OpenClaw's dialect: a device connects again and again until the gateway's operator has approved it, and
/// finds its token in the greeting.
struct OpenClawPairing: PairingDialect {
    func pair(
        _ attempt: PairingAttempt,
        as device: DeviceDescription,
        through connection: PairingConnection
    ) async throws -> PairingGrant {
        let request = SessionRequest(
            dialect: .openClaw,
            device: device,
            credential: attempt.credential,
            scopes: attempt.rights.scopes,
            time: connection.time,
            gate: { path, _ in try await connection.check(path) }
        )
        return try await GatewayConversation.withSession(
            request,
            to: connection.endpoints,
            transport: connection.transport,
            limits: connection.limits
        ) { gateway, grant in
            // A token that came on another path than the one consented to is refused, even though nothing was sent
            // there.
            try await connection.check(grant.path)
            guard let token = grant.hello.deviceToken else { return PairingGrant(bots: [], tokens: []) }
            let all = try await self.bots(gateway, grant)
            let bots = attempt.wanted(of: all)
            guard !bots.isEmpty else { throw Self.noBots(among: all, attempt, device) }
            let scopes = grant.hello.scopes ?? request.scopes
            return PairingGrant(bots: bots, tokens: [PairingGrant.Token(bots: [], secret: token, scopes: scopes)])
        }
    }

    /// Returns the gateway's bots; if it does not list them, those that its greeting names.
    private func bots(_ gateway: GatewayConversation, _ grant: SessionGrant) async throws -> [BotDescription] {
        let answer = try await gateway.request("agents.list", params: .object([:]))
        guard case .success(let payload) = answer.outcome, let list = try? AgentList(json: payload), !list.bots.isEmpty
        else { return grant.hello.bots }
        return list.bots
    }

    /// Returns the error for a gateway that has none of the wanted bots. The operator's approval stays: a device cannot
    /// withdraw it.
    private static func noBots(
        among bots: [BotDescription],
        _ attempt: PairingAttempt,
        _ device: DeviceDescription
    ) -> PairingError {
        let command = (attempt.operatorTool ?? .openClaw).removingCommand(device: device.openClawID)
        let names = bots.prefix(8).map {
            "\(DisplayText($0.name, limit: 64).quoted) (\(DisplayText($0.id.text, limit: 64)))"
        }
        let rest = bots.count > 8 ? " and \(bots.count - 8) more" : ""
        let list = names.isEmpty ? "no bots there" : "none of them; it has \(names.joined(separator: ", "))\(rest)"
        return PairingError(
            .unknownBots,
            "expected the bots that were asked for, found \(list). This device stays approved there: pair again with one of "
                + "these, or have it removed: \(command)"
        )
    }

    /// Always throws, since a device without the scope of an operator cannot remove itself.
    func unpair(_ bots: BotSelection, as device: DeviceDescription, through connection: PairingConnection) async throws
    {
        throw PairingError(
            .unsupported,
            "expected a gateway that a device can leave by itself, found an OpenClaw gateway: its operator can remove "
                + "device \(device.openClawID)"
        )
    }
}
