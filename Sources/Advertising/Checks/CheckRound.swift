internal import DNSSD
internal import GatewayProtocol

/// One check: what is asked.
struct CheckRound: Hashable, Sendable {
    /// The gateway that answered last; it is asked briefly. `nil` when nothing has answered yet.
    let known: GatewayFacts?

    /// Whether the known gateway is asked who it is, and not only whether it answers: another one may have its port.
    let isWhole: Bool

    /// Whether everything is asked, because what is known did not answer for a while.
    let isThorough: Bool

    /// Whether the addresses on the network are asked in any case; else only when others are there than these.
    let asksNetwork: Bool

    /// The addresses that are known.
    let addresses: Set<LocalAddress>

    /// How many intervals after the check before it.
    let pace: Int

    func asksNetwork(at current: [LocalAddress]) -> Bool {
        asksNetwork || Set(current) != addresses
    }
}

extension GatewayDialect {
    /// Whether the cheapest answer says all that is advertised: name and bots. The others are asked only whether they
    /// answer, and half as often.
    var tellsAll: Bool { self == .design }
}
