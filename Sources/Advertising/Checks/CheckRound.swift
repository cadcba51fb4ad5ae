internal import DNSSD

/// One check: what is asked.
struct CheckRound: Hashable, Sendable {
    /// The gateway that answered last; it is asked briefly. `nil` when nothing has answered yet.
    let known: GatewayFacts?

    /// Whether everything is asked, because what is known did not answer for a while.
    let isThorough: Bool

    /// Whether the addresses on the network are asked in any case; else only when others are there than these.
    let asksNetwork: Bool

    /// The addresses that are known.
    let addresses: Set<LocalAddress>

    func asksNetwork(at current: [LocalAddress]) -> Bool {
        asksNetwork || Set(current) != addresses
    }
}
