internal import GatewayClient
internal import GatewayProtocol

/// Pairing in the OptaPlus dialect: one request, which is answered at once with one token for each bot. Some gateways
/// demand the one-time token of their link or code with it.
struct OptaplusPairing: PairingDialect {
    func pair(
        _ attempt: PairingAttempt,
        as device: DeviceDescription,
        through connection: PairingConnection
    ) async throws -> PairingGrant {
        let params = DevicePairParams(
            deviceID: device.id,
            deviceName: device.name,
            platform: device.platform,
            requestedBots: attempt.bots,
            pairingToken: attempt.pairingToken
        )
        let payload = try await ask("device.pair", params.json, through: connection)
        let result: DevicePairResult
        do throws(GatewayMessageError) {
            result = try DevicePairResult(json: payload)
        } catch {
            throw PairingError(.notReached, "expected tokens for bots, found another answer: \(error.message)")
        }
        if let expected = attempt.offer.fingerprint, let found = result.fingerprint, found != expected {
            let bots = BotSelection.some(result.pairings.map(\.bot.id))
            try? await unpair(bots, as: device, through: connection)
            throw PairingError(.anotherGateway, "expected the gateway that was shown, found another one there")
        }
        // There is one session for each token, which bots with the same token share.
        var seen: Set<BotID> = []
        let granted = result.pairings.filter { seen.insert($0.bot.id).inserted }
        let groups = Dictionary(grouping: granted, by: \.token)
        let tokens = groups.map { token, pairings in
            PairingGrant.Token(bots: pairings.map(\.bot.id).sorted(), secret: token, scopes: [])
        }
        return PairingGrant(
            bots: granted.map(\.bot),
            tokens: tokens.sorted { $0.bots.lexicographicallyPrecedes($1.bots) }
        )
    }

    func unpair(_ bots: BotSelection, as device: DeviceDescription, through connection: PairingConnection) async throws
    {
        let params = DeviceUnpairParams(deviceID: device.id, bots: bots)
        _ = try await ask("device.unpair", params.json, through: connection)
    }

    private func ask(
        _ method: String,
        _ params: JSONValue,
        through connection: PairingConnection
    ) async throws -> JSONValue? {
        try await connection.open { gateway in
            // The response contains the tokens, and the request may contain one.
            try await connection.check(gateway.path)
            switch try await gateway.request(method, params: params).outcome {
            case .success(let payload): return payload
            case .failure(let failure): throw SessionRefusal(failure, dialect: .optaplus, credential: .none)
            }
        }
    }
}
