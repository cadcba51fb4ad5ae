/// The bots that a pairing is about: all, or those in a list. On the wire `"*"`, `["*"]` or a list of identifiers.
package enum BotSelection: Hashable, Sendable {
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

    /// Makes the selection of a list; all bots where there is none.
    package init(_ bots: [BotID]?) {
        self = bots.map(Self.some) ?? .all
    }

    /// The list of the bots; `nil` for all bots.
    package var bots: [BotID]? {
        switch self {
        case .all: nil
        case .some(let bots): bots
        }
    }

    /// The selection as JSON.
    package var json: JSONValue {
        switch self {
        case .all: "*"
        case .some(let ids): .array(ids.map { .string($0.text) })
        }
    }
}
