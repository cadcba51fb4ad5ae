internal import DNSSD
internal import GatewayProtocol

/// One check: what is asked.
struct CheckRound: Hashable, Sendable {
    /// The gateway that answered last; it is asked briefly. `nil` when nothing has answered yet.
    let known: GatewayFacts?

    /// Indicates whether the known gateway is asked who it is, and not only whether it answers: another one may have
    /// its port.
    let isWhole: Bool

    /// Indicates whether everything is asked, because the known gateway did not answer for a while.
    let isThorough: Bool

    /// Indicates whether the addresses on the network are asked in any case; else only when they differ from
    /// ``addresses``.
    let asksNetwork: Bool

    /// The addresses that are known.
    let addresses: Set<LocalAddress>

    /// The number of intervals between this check and the one before it.
    let pace: Int

    func asksNetwork(at current: [LocalAddress]) -> Bool {
        asksNetwork || Set(current) != addresses
    }
}

extension GatewayDialect {
    /// Indicates whether the cheapest answer says all that is advertised: name and bots. Gateways of other dialects are
    /// asked only whether they answer, and half as often.
    var statesAllFacts: Bool { self == .optaplus }
}

/// The result of a check.
struct CheckResult: Hashable, Sendable {
    /// The answer from the endpoints at which the gateway itself was asked.
    let answer: GatewayAnswer

    /// The addresses on the network that this host has.
    let addresses: [LocalAddress]

    /// The answers from those of ``addresses`` that were asked.
    let answers: [LocalAddress: GatewayAnswer]
}
