internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol

/// A service or a manual entry that points at an endpoint, and what it hints at.
struct EndpointCandidate: Hashable {
    /// The key of a candidate: a service, or what the user entered.
    enum Key: Hashable {
        case service(ServiceInstance)
        case manual(Int)
    }

    /// The key of the candidate.
    let key: Key

    /// The rules for where connections may go, as far as this candidate is concerned.
    let rules: TargetRules

    /// The hint of what is likely to be there, and of what is tried first.
    let hint: ProbeHint

    /// The degree to which it can be trusted not to be made up.
    var standing: ProbeStanding

    /// The SRV host that leads there.
    let host: DomainName?

    /// The service that it is; `nil` for a manual entry.
    var service: ServiceInstance? {
        if case .service(let instance) = key { instance } else { nil }
    }

    /// Indicates whether the user entered it.
    var isManual: Bool { standing == .manual }
}
