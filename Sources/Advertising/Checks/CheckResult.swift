/// What came of a check.
struct CheckResult: Hashable, Sendable {
    /// Where the gateway was asked for itself.
    let answer: GatewayAnswer

    /// The addresses on the network that this host has.
    let addresses: [LocalAddress]

    /// What came from those of them that were asked.
    let answers: [LocalAddress: GatewayAnswer]
}
