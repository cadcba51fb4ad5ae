package import GatewayProtocol

/// The OptaPlus protocol.
extension GatewayState {
    /// Answers one request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - peer: The peer that asks; for the notes.
    ///   - time: The present moment.
    ///   - generator: The source of randomness for tokens.
    /// - Returns: The actions to take, in order.
    package mutating func handle(
        _ request: GatewayRequest,
        from peer: GatewayPeer,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) -> [GatewayAction] {
        do {
            switch request.method {
            case "gateway.discover":
                return [.note("\(peer) asks who this is"), Self.answer(request, discovered.json)]
            case "device.pair":
                return try pair(request, from: peer, at: time, using: &generator)
            case "device.unpair":
                return try unpair(request, from: peer)
            case "connect":
                return connect(request, from: peer)
            case "ping":
                return [Self.answer(request, .object([:]))]
            default:
                let failure = GatewayFailure(code: "INVALID_REQUEST", message: "unknown method")
                return [.note("\(peer) asks for \(request.method), which is unknown"), Self.refuse(request, failure)]
            }
        } catch {
            return [
                .note("\(peer) asks for \(request.method) wrongly: \(error.message)"),
                Self.refuse(request, GatewayFailure(code: "INVALID_REQUEST", message: error.message)),
            ]
        }
    }

    /// The answer to `gateway.discover`.
    package var discovered: DiscoverPayload {
        DiscoverPayload(fingerprint: reportedFingerprint, name: name, bots: bots, pairingRequired: true)
    }

    private mutating func pair(
        _ request: GatewayRequest,
        from peer: GatewayPeer,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) throws(GatewayMessageError) -> [GatewayAction] {
        let params = try DevicePairParams(json: request.params)
        if let failure = objection(to: params, at: time) {
            return [.note("\(peer) wants to pair: \(failure.message)"), Self.refuse(request, failure)]
        }
        let wanted =
            switch params.requestedBots {
            case .all: bots
            case .some(let ids): bots.filter { ids.contains($0.id) }
            }
        guard !wanted.isEmpty else {
            let failure = GatewayFailure(code: "NOT_FOUND", message: "none of these bots is here")
            return [.note("\(peer) wants to pair with bots that are not here"), Self.refuse(request, failure)]
        }
        let result = pair(
            deviceID: params.deviceID,
            deviceName: params.deviceName,
            bots: wanted.map(\.id),
            using: &generator
        )
        guard let result else {
            let failure = GatewayFailure(code: "UNAVAILABLE", message: "there are too many pairings; unpair some")
            return [.note("\(peer) wants to pair, and there are too many pairings"), Self.refuse(request, failure)]
        }
        pairingCode?.spend(by: params.deviceID, at: time)
        let pairings = zip(wanted, result.added).map { DevicePairResult.Pairing(bot: $0, token: Secret($1.token)) }
        return [
            .note(
                "\(peer) paired device \(params.deviceID) (\(params.deviceName)) with \(Self.list(wanted.map(\.id)))"
            ),
            .save,
            // The answer comes before the old tokens end, since this connection may depend on one of them.
            Self.answer(request, DevicePairResult(fingerprint: reportedFingerprint, pairings: pairings).json),
            .revoke(result.ended),
        ]
    }

    /// Returns the reason why a device may not pair with the code that it sent; `nil` when it may.
    private func objection(to params: DevicePairParams, at time: GatewayTime) -> GatewayFailure? {
        guard demandsPairingCode else { return nil }
        guard let given = params.pairingToken else {
            return GatewayFailure(code: "PAIRING_TOKEN_REQUIRED", message: "a pairing code is required")
        }
        guard let pairingCode, pairingCode.admits(given, from: params.deviceID, at: time) else {
            return GatewayFailure(code: "PAIRING_TOKEN_INVALID", message: "the pairing code is wrong, spent or too old")
        }
        return nil
    }

    private mutating func unpair(
        _ request: GatewayRequest,
        from peer: GatewayPeer
    ) throws(GatewayMessageError) -> [GatewayAction] {
        let params = try DeviceUnpairParams(json: request.params)
        let ended = unpair(deviceID: params.deviceID, bots: params.bots)
        let ids = ended.compactMap(\.botID)
        let answer = Self.answer(request, .object(["botIds": .array(ids.map { .string($0.text) })]))
        // Ending a pairing that does not exist is no failure: the answer to a first attempt may have been lost.
        guard !ended.isEmpty else { return [.note("\(peer) unpairs what is not paired"), answer] }
        return [
            .note("\(peer) unpaired device \(params.deviceID) from \(Self.list(ids))"),
            .save,
            // The answer comes before the sessions end, since this connection may be one of them.
            answer,
            .revoke(Set(ended.map(\.token))),
        ]
    }

    private func connect(_ request: GatewayRequest, from peer: GatewayPeer) -> [GatewayAction] {
        let version = Self.protocolVersion
        let oldest = request.params?["minProtocol"]?.int ?? version
        let newest = request.params?["maxProtocol"]?.int ?? version
        guard oldest <= version, version <= newest else {
            let failure = GatewayFailure(
                code: "INVALID_REQUEST",
                message: "protocol mismatch",
                details: .object(["expectedProtocol": .number(JSONNumber(version))])
            )
            return [.note("\(peer) speaks another protocol"), Self.refuse(request, failure), .close(1_002)]
        }
        guard let token = request.params?["auth"]?["token"]?.string, let pairing = pairing(token: token) else {
            let failure = GatewayFailure(code: "NOT_PAIRED", message: "pairing required")
            return [.note("\(peer) connects without being paired"), Self.refuse(request, failure), .close(1_008)]
        }
        return [
            .note("\(peer) connects as device \(pairing.deviceID)"),
            .admit(token: pairing.token),
            Self.answer(request, hello(pairing, connection: peer.connection)),
        ]
    }

    /// Returns the payload of `hello-ok`.
    func hello(_ pairing: GatewayPairing, connection: Int) -> JSONValue {
        let methods = ["connect", "device.pair", "device.unpair", "gateway.discover", "ping"].map(JSONValue.string)
        var fields: [String: JSONValue] = [
            "type": "hello-ok",
            "protocol": .number(JSONNumber(Self.protocolVersion)),
            "server": .object(["version": "clawradar", "connId": .string("\(connection)")]),
            "features": .object(["methods": .array(methods), "events": .array([])]),
            "snapshot": .object([:]),
            "policy": .object(["maxPayload": 65_536, "maxBufferedBytes": 1_048_576, "tickIntervalMs": 30_000]),
        ]
        fields["botId"] = pairing.botID.map { .string($0.text) }
        return .object(fields)
    }

    static func answer(_ request: GatewayRequest, _ payload: JSONValue) -> GatewayAction {
        .send(GatewayFrame.response(GatewayResponse(id: request.id, outcome: .success(payload))).encoded)
    }

    static func refuse(_ request: GatewayRequest, _ failure: GatewayFailure) -> GatewayAction {
        .send(GatewayFrame.response(GatewayResponse(id: request.id, outcome: .failure(failure))).encoded)
    }

    private static func list(_ ids: [BotID]) -> String { ids.map(\.text).joined(separator: ", ") }
}
