internal import GatewayProtocol

/// The questions of one check.
struct CheckRound: Hashable, Sendable {
    /// The gateway that answered last; it is asked as little as possible. `nil` when no gateway has answered yet.
    let known: AdvertisedFacts?

    /// Indicates whether the known gateway is asked who it is, and not only whether it answers, since another gateway
    /// may have taken its port.
    let isWhole: Bool

    /// Indicates whether everything is asked, because the known gateway has not answered for a while.
    let isThorough: Bool

    /// Indicates whether the addresses on the network are asked in any case; otherwise they are only asked when they
    /// differ from ``addresses``.
    let asksNetwork: Bool

    /// The addresses known from earlier checks.
    let addresses: Set<LocalAddress>

    /// The number of intervals between this check and the one before it.
    let pace: Int

    func asksNetwork(at current: [LocalAddress]) -> Bool {
        asksNetwork || Set(current) != addresses
    }
}

extension GatewayDialect {
    /// Indicates whether the cheapest answer contains everything that is advertised: name and bots. Gateways of other
    /// dialects are only asked whether they answer, and half as often.
    var statesAllFacts: Bool { self == .optaplus }
}

/// The result of a check.
struct CheckResult: Hashable, Sendable {
    /// The answer from the configured endpoints of the gateway.
    let answer: GatewayAnswer

    /// The addresses on the network that this host has.
    let addresses: [LocalAddress]

    /// The answers from those of ``addresses`` that were asked.
    let answers: [LocalAddress: GatewayAnswer]
}
