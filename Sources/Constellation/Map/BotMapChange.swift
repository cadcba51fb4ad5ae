public import DNSSD
internal import GatewayProtocol

/// One change of the map. All changes, applied in order, lead from one picture to the next.
public enum BotMapChange: Hashable, Sendable {
    /// A row that was not there.
    case found(Gateway)

    /// The same row, and what is new about it.
    case changed(Gateway, Set<GatewayAspect>)

    /// A row that is there no more, as it was last; `into` is the row that has what it had, if it only goes by another
    /// identifier from now on or has turned out to be that one.
    case lost(Gateway, into: GatewayID?)

    /// An event could not be followed. The map is as it was.
    ///
    /// Indirect: there are few of them, and they are the largest.
    indirect case problem(BotMapProblem)
}

/// A reason why an event changed nothing, or less than it could have.
public enum BotMapProblem: Hashable, Sendable, CustomStringConvertible {
    /// A bot cannot go from one state to the other.
    case refusedTransition(BotKey, from: BotState, to: BotState)

    /// Nothing can be paired with one of several claimants: only what has proved itself, or is the only one.
    case unprovedClaimant(BotKey)

    /// There are too many gateways; this one is left out. Told once, until there is room again.
    case tooManyGateways(GatewayCandidate, limit: Int)

    /// Too many services lead to one endpoint; it is left out of a further one.
    case tooManyCandidates(Endpoint, limit: Int)

    /// There are too many paired bots.
    case tooManyPairings(BotKey, limit: Int)

    public var description: String {
        switch self {
        case .refusedTransition(let bot, let from, let to):
            "bot \(DisplayText(bot.bot.text, limit: 64)) is \(from.rawValue) and cannot become \(to.rawValue)"
        case .unprovedClaimant(let bot):
            "bot \(DisplayText(bot.bot.text, limit: 64)): several gateways claim its fingerprint, and this one has not proved it"
        case .tooManyGateways(_, let limit): "more than \(limit) gateways: the rest is not shown"
        case .tooManyCandidates(let endpoint, let limit): "more than \(limit) services lead to \(endpoint)"
        case .tooManyPairings(_, let limit): "more than \(limit) paired bots: the rest is not shown"
        }
    }
}
