/// The result of a check.
struct CheckResult: Hashable, Sendable {
    /// The answer from the endpoints at which the gateway itself was asked.
    let answer: GatewayAnswer

    /// The addresses on the network that this host has.
    let addresses: [LocalAddress]

    /// The answers from those of ``addresses`` that were asked.
    let answers: [LocalAddress: GatewayAnswer]
}
