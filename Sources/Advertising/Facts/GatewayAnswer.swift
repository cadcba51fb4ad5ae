internal import DNSSD
internal import GatewayProtocol

/// The result of asking at an address whether our gateway is there.
enum GatewayAnswer: Hashable, Sendable {
    /// A gateway answered.
    case gateway(AdvertisedFacts)

    /// Something answered that is not a gateway.
    case other(ForeignAnswer)

    /// Nothing answered.
    case nothing(NoAnswer)

    /// Nothing was asked, because this is not an address of this host.
    case foreignAddress(IPAddress)

    init(_ report: GatewayProbeReport) {
        switch (AdvertisedFacts(report), report.verdict) {
        case (let facts?, _): self = .gateway(facts)
        case (nil, .other(let answer)): self = .other(answer)
        case (nil, .nothing(let reason)): self = .nothing(reason)
        // These verdicts name a dialect, so the facts cannot be `nil` here.
        case (nil, .optaplus), (nil, .openClaw), (nil, .bridge), (nil, .openAgents), (nil, .clawline):
            self = .nothing(.closed)
        }
    }
}
