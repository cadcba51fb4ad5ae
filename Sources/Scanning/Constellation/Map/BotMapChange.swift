package import DNSSD
internal import GatewayProtocol

/// One change of the map. All changes, applied in order, lead from one state of the map to the next.
@nonexhaustive
public enum BotMapChange: Hashable, Sendable {
    /// A new row, once for each appearance of a gateway.
    case found(Gateway)

    /// A row that has changed, and the aspects that have. With ``GatewayAspect/identifier`` among them it is new as a row, and
    /// known as a gateway: what has joined it just before.
    case changed(Gateway, Set<GatewayAspect>)

    /// A row that is gone, in its last state, with what it showed.
    case lost(Gateway)

    /// A row that is another one from now on, in its last state: it got another identifier, or turned out to be that
    /// gateway. Nothing is lost: the other row has its contents; if that is new, it is changed after this.
    case joined(Gateway, into: GatewayID)

    /// An event could not be applied, or only in part.
    ///
    /// Indirect, since problems are rare and the largest of all payloads.
    indirect case problem(BotMapProblem)
}

/// A reason why an event changed nothing, or less than it could have, for people to read.
public struct BotMapProblem: Hashable, Sendable, CustomStringConvertible {
    /// A kind of reason, with what was found. Only this package distinguishes them: there may be more.
    package enum Kind: Hashable, Sendable {
        /// A bot cannot go from one state to the other.
        case refusedTransition(BotKey, from: BotState, to: BotState)

        /// A bot of one of several claimants cannot be paired: its gateway must have proved itself, or be the only
        /// claimant.
        case unprovedClaimant(BotKey)

        /// There are too many gateways; this one is left out. Reported once, until there is room again.
        case tooManyGateways(GatewayCandidate, limit: Int)

        /// Too many services lead to one endpoint; it ignores a further one.
        case tooManyCandidates(Endpoint, limit: Int)

        /// There are too many paired bots.
        case tooManyPairings(BotKey, limit: Int)
    }

    package let kind: Kind

    private init(_ kind: Kind) {
        self.kind = kind
    }

    package static func refusedTransition(_ bot: BotKey, from: BotState, to: BotState) -> Self {
        Self(.refusedTransition(bot, from: from, to: to))
    }
    package static func unprovedClaimant(_ bot: BotKey) -> Self { Self(.unprovedClaimant(bot)) }
    package static func tooManyGateways(_ candidate: GatewayCandidate, limit: Int) -> Self {
        Self(.tooManyGateways(candidate, limit: limit))
    }
    package static func tooManyCandidates(_ endpoint: Endpoint, limit: Int) -> Self {
        Self(.tooManyCandidates(endpoint, limit: limit))
    }
    package static func tooManyPairings(_ bot: BotKey, limit: Int) -> Self { Self(.tooManyPairings(bot, limit: limit)) }

    public var description: String {
        switch kind {
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
