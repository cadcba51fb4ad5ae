package import GatewayProtocol

extension GatewayState {
    /// The stored form of the state. It holds secrets.
    package var json: JSONValue {
        var fields: [String: JSONValue] = [
            "version": 1, "name": .string(name), "bots": .array(bots.map(\.json)),
            "pairings": .array(pairings.map(\.json)),
        ]
        fields["openClaw"] = openClaw.json
        fields["tls"] = certificate?.json
        fields["fingerprint"] = fingerprint.text.map(JSONValue.string)
        return .object(fields)
    }

    /// Reads the stored form, and fails if any part of it is not valid: a part that is skipped would be lost at the
    /// next write.
    ///
    /// - Throws: ``ReferenceGatewayError`` `unreadableState`.
    package init(json: JSONValue) throws(ReferenceGatewayError) {
        func failure(_ message: String) -> ReferenceGatewayError { ReferenceGatewayError(.unreadableState, message) }

        guard json["version"]?.int == 1 else { throw failure("expected a state of version 1, found another") }
        guard let fingerprint = json["fingerprint"]?.string.flatMap({ GatewayFingerprint($0) }) else {
            throw failure("expected a fingerprint of 1 to 128 bytes, found none")
        }
        guard let name = json["name"]?.string else { throw failure("expected a name, found none") }
        let pairings = (json["pairings"]?.array ?? []).map { GatewayPairing(json: $0) }
        guard pairings.count <= Self.maximumPairings, !pairings.contains(nil) else {
            throw failure("expected at most \(Self.maximumPairings) whole pairings, found something else")
        }
        self.init(
            fingerprint: fingerprint,
            name: name,
            bots: try Self.bots(json: json["bots"]),
            pairings: pairings.compactMap { $0 }
        )
        if let kept = json["openClaw"] {
            guard let openClaw = OpenClawState(json: kept) else {
                throw failure("expected whole OpenClaw devices, found something else")
            }
            self.openClaw = openClaw
        }
        if let tls = json["tls"] {
            guard let certificate = GatewayCertificate(json: tls) else {
                throw failure("expected a key and its certificate, found something else")
            }
            self.certificate = certificate
        }
    }

    /// Reads a list of bots: `[{"botId":"…","name":"…","emoji":"…","status":"…"}]`, or an object with it as `bots`.
    ///
    /// - Throws: ``ReferenceGatewayError`` `unreadableState`.
    package static func bots(json: JSONValue?) throws(ReferenceGatewayError) -> [BotDescription] {
        let list = json?["bots"] ?? json
        guard let list, let payload = try? DiscoverPayload(json: .object(["bots": list])),
            payload.bots.count == payload.botCount
        else {
            throw ReferenceGatewayError(
                .unreadableState,
                "expected at most \(DiscoverPayload.maximumBots) bots, each with a botId of its own, found something else"
            )
        }
        return payload.bots
    }
}
