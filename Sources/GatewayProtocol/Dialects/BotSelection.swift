/// The bots that a pairing is about: all, or those in a list. On the wire `"*"`, `["*"]` or a list of identifiers.
public enum BotSelection: Hashable, Sendable {
    /// All bots of the gateway.
    case all

    /// The bots with these identifiers.
    case some([BotID])

    /// Reads a selection of at most ``DiscoverPayload/maximumBots`` bots; fails if an entry is not an identifier.
    ///
    /// - Throws: ``GatewayMessageError``.
    package init(json: JSONValue?) throws(GatewayMessageError) {
        guard let json else { throw GatewayMessageError(.missingField, "there is no list of bots") }
        if json == "*" || json == .array(["*"]) {
            self = .all
            return
        }
        guard let entries = json.array else { throw GatewayMessageError(.wrongType, "the bots are no list") }
        guard entries.count <= DiscoverPayload.maximumBots else {
            throw GatewayMessageError(.outOfBounds, "the list has over \(DiscoverPayload.maximumBots) bots")
        }
        let ids = entries.compactMap { $0.string.flatMap(BotID.init) }
        guard ids.count == entries.count else {
            throw GatewayMessageError(.wrongType, "an entry of the list is no identifier of a bot")
        }
        self = .some(ids)
    }

    /// The selection as JSON.
    public var json: JSONValue {
        switch self {
        case .all: "*"
        case .some(let ids): .array(ids.map { .string($0.text) })
        }
    }
}
