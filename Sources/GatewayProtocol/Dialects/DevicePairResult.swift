/// The payload of the response to `device.pair`: a token for each bot.
package struct DevicePairResult: Hashable, Sendable {
    /// A bot that the device may talk to, with the token for it.
    package struct Pairing: Hashable, Sendable {
        /// The bot.
        package let bot: BotDescription

        /// The token for the bot, 1–4,096 bytes.
        package let token: Secret

        /// Creates the pairing of a bot with the token for it.
        package init(bot: BotDescription, token: Secret) {
            self.bot = bot
            self.token = token
        }
    }

    /// The fingerprint of the gateway that answers, where it sends one.
    package let fingerprint: GatewayFingerprint?

    /// The bots and their tokens, at most ``DiscoverPayload/maximumBots``.
    package let pairings: [Pairing]

    /// Creates a result. The number of pairings is not checked.
    package init(fingerprint: GatewayFingerprint?, pairings: [Pairing]) {
        self.fingerprint = fingerprint
        self.pairings = pairings
    }

    /// Reads the payload of a response.
    ///
    /// - Throws: ``GatewayMessageError``, also when a single pairing has no bot or no token, since half a pairing is of
    ///   no use.
    package init(json: JSONValue?) throws(GatewayMessageError) {
        let fields = try JSONFields(json, of: "the payload")
        guard let entries = fields["pairings"]?.array else {
            throw GatewayMessageError(.missingField, "the payload has no list of pairings")
        }
        guard entries.count <= DiscoverPayload.maximumBots else {
            throw GatewayMessageError(.outOfBounds, "there are over \(DiscoverPayload.maximumBots) pairings")
        }
        self.pairings = try entries.map { (entry: JSONValue) throws(GatewayMessageError) in
            let token = try JSONFields(entry, of: "the pairing").secret("token", limit: 4_096)
            guard let bot = BotDescription(json: entry), !token.isEmpty else {
                throw GatewayMessageError(.missingField, "a pairing has no bot or no token")
            }
            return Pairing(bot: bot, token: token)
        }
        self.fingerprint = fields["gatewayFingerprint"]?.string.flatMap { GatewayFingerprint($0) }
    }

    /// The payload as JSON.
    package var json: JSONValue {
        let entries = pairings.map { pairing -> JSONValue in
            var fields: [String: JSONValue] = [
                "botId": .string(pairing.bot.id.text), "name": .string(pairing.bot.name),
                "token": .secret(pairing.token),
            ]
            fields["emoji"] = pairing.bot.emoji.map(JSONValue.string)
            return .object(fields)
        }
        var fields: [String: JSONValue] = ["pairings": .array(entries)]
        fields["gatewayFingerprint"] = fingerprint?.text.map(JSONValue.string)
        return .object(fields)
    }
}
