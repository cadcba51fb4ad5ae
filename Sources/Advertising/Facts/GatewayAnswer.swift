internal import DNSSD
internal import GatewayProtocol

/// The result of asking an address whether our gateway is there.
enum GatewayAnswer: Hashable, Sendable {
    /// A gateway answered.
    case gateway(GatewayFacts)

    /// Something answered that is no gateway.
    case other(ForeignAnswer)

    /// Nothing answered.
    case nothing(NoAnswer)

    /// It was not asked, because it is no address of this host.
    case foreignAddress(IPAddress)

    init(_ report: GatewayProbeReport) {
        switch (GatewayFacts(report), report.verdict) {
        case (let facts?, _): self = .gateway(facts)
        case (nil, .other(let answer)): self = .other(answer)
        case (nil, .nothing(let reason)): self = .nothing(reason)
        // These name a dialect, and so have facts.
        case (nil, .optaplus), (nil, .openClaw), (nil, .bridge), (nil, .openAgents), (nil, .clawline):
            self = .nothing(.closed)
        }
    }
}
