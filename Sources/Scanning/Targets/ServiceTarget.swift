internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol

/// The endpoints to which a service leads, by its SRV and address records, and which of them may be connected to.
struct ServiceTarget: Hashable {
    /// The maximum number of endpoints of one service that are asked.
    static let mostEndpoints = 16

    /// The endpoints that may be connected to, as candidates of them.
    var candidates: [Endpoint: EndpointCandidate] = [:]

    /// The other endpoints, and the reasons why they are refused.
    var refused: [Endpoint: TargetRefusal] = [:]

    /// The fingerprint that it advertises.
    let fingerprint: GatewayFingerprint?

    init(_ service: DiscoveredService, networks: HostNetworks) {
        let advertisement = GatewayAdvertisement(instance: service.instance, txt: service.txt ?? TXTRecord())
        fingerprint = advertisement.fingerprint
        // The TXT record can only decide what is tried first.
        let hint = ProbeHint(
            expected: GatewayProbeTarget.expected(of: service.instance.type),
            transports: advertisement.tls?.isEnabled == true ? .tlsFirst : .plainFirst
        )
        for sighting in service.sortedSightings {
            guard let port = sighting.port else { continue }
            let path = sighting.path
            // Packets on loopback were sent by this host: no other one can be received there.
            let isLocal = networks.loopbacks.contains(path.interface.index)
            let rules = TargetRules(origin: isLocal ? .thisHost : sighting.source.origin, onLink: networks.prefixes)
            let isOfThisHost = isLocal || sighting.isOwn || sighting.heardFrom.contains(where: networks.isOwn)
            for address in sighting.addresses {
                let endpoint = Endpoint(address: address, port: port)
                // It would be connected to over loopback, past this host's own firewall.
                let isForeign = networks.isOwn(address) && !isOfThisHost
                if let refusal = rules.refusal(of: endpoint) ?? (isForeign ? .ownAddress : nil) {
                    refused[endpoint] = refusal
                    continue
                }
                let standing = sighting.heardFrom.contains(address) ? ProbeStanding.firstHand : .stranger
                if let known = candidates[endpoint], known.standing <= standing { continue }
                candidates[endpoint] = EndpointCandidate(
                    key: .service(service.instance),
                    rules: rules,
                    hint: hint,
                    standing: standing,
                    host: sighting.host
                )
            }
        }
        for endpoint in candidates.keys { refused[endpoint] = nil }
        for endpoint in candidates.keys.sorted().dropFirst(Self.mostEndpoints) { candidates[endpoint] = nil }
        // However many addresses a host claims, the number of reported refusals is bounded.
        for endpoint in refused.keys.sorted().dropFirst(Self.mostEndpoints) { refused[endpoint] = nil }
    }
}

extension SightingSource {
    /// The origin of what another host's service leads to.
    fileprivate var origin: TargetRules.Origin {
        switch self {
        case .zone: .namedZone
        case .networkZone: .networkZone
        default: .network
        }
    }
}
