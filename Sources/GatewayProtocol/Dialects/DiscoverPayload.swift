/// The answer of an OptaPlus gateway to `gateway.discover`: its identity and its bots.
///
/// A gateway sends every field; reading requires only the minimum that identifies this answer: a fingerprint or a list
/// of bots. All of it comes from a stranger: it proves nothing, and must be cleaned before it is shown.
package struct DiscoverPayload: Hashable, Sendable {
    /// The most bots that are kept of one gateway.
    package static let maximumBots = 256

    /// The fingerprint; `nil` when it is missing, empty or too long.
    package let fingerprint: GatewayFingerprint?

    /// The name, at most 256 bytes.
    package let name: String?

    /// The bots in the order of the gateway: the first ``maximumBots``, without repeated identifiers.
    package let bots: [BotDescription]

    /// The number of bot entries that the gateway sent, whether or not they could be used.
    package let botCount: Int

    /// Indicates whether a device must pair before it can talk to a bot, where the gateway says.
    package let pairingRequired: Bool?

    /// Creates a payload, whose ``botCount`` is the number of the bots. All of them are kept, even more than
    /// ``maximumBots``.
    package init(fingerprint: GatewayFingerprint?, name: String?, bots: [BotDescription], pairingRequired: Bool?) {
        self.fingerprint = fingerprint
        self.name = name
        self.bots = bots
        self.botCount = bots.count
        self.pairingRequired = pairingRequired
    }

    /// Reads the payload of a response.
    ///
    /// - Throws: ``GatewayMessageError`` `missingField` or `wrongType` when it is not such a payload.
    package init(json: JSONValue?) throws(GatewayMessageError) {
        let fields = try JSONFields(json, of: "the payload")
        let entries = fields["bots"]?.array
        let fingerprint = fields["gatewayFingerprint"]?.string.flatMap { GatewayFingerprint($0) }
        guard entries != nil || fingerprint != nil else {
            throw GatewayMessageError(.missingField, "the payload has neither a fingerprint nor a list of bots")
        }
        self.fingerprint = fingerprint
        self.name = fields["gatewayName"]?.string.map { $0.cut(toBytes: BotDescription.maximumTextLength) }
        self.pairingRequired = fields["pairingRequired"]?.bool
        self.botCount = entries?.count ?? 0
        var bots: [BotDescription] = []
        var seen: Set<BotID> = []
        for entry in entries ?? [] {
            guard bots.count < Self.maximumBots else { break }
            guard let bot = BotDescription(json: entry), seen.insert(bot.id).inserted else { continue }
            bots.append(bot)
        }
        self.bots = bots
    }

    /// The payload as JSON.
    package var json: JSONValue {
        var fields: [String: JSONValue] = ["bots": .array(bots.map(\.json))]
        fields["gatewayFingerprint"] = fingerprint?.text.map(JSONValue.string)
        fields["gatewayName"] = name.map(JSONValue.string)
        fields["pairingRequired"] = pairingRequired.map(JSONValue.bool)
        return .object(fields)
    }
}
