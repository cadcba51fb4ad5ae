internal import DNSSD
internal import GatewayProtocol
internal import Gateways

/// What points at an endpoint, and what it hints at.
struct EndpointCandidate: Hashable {
    /// What it is: a service, or what the user entered.
    enum Key: Hashable {
        case service(ServiceInstance)
        case manual(Int)
    }

    /// Which candidate.
    let key: Key

    /// Where it may be connected to as far as this candidate goes.
    let rules: TargetRules

    /// What is likely to be there, and what is tried first.
    let hint: ProbeHint

    /// How far it can be trusted not to be made up.
    var standing: ProbeStanding

    /// The SRV host that leads there.
    let host: DomainName?

    /// The service that it is; `nil` for what the user entered.
    var service: ServiceInstance? {
        if case .service(let instance) = key { instance } else { nil }
    }

    /// Whether the user entered it.
    var isManual: Bool { standing == .manual }
}
