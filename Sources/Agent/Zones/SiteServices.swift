package import DNSSD
package import Discovery
internal import GatewayProtocol
package import HostSystem
package import Scanning

/// The services of a map that are published in the zone of a site: those of the LAN that lead to gateways that answer, each
/// with the addresses at which it does.
///
/// What was learned from a zone is left out, or sites would repeat one another.
package struct SiteServices: Equatable, Sendable {
    /// The maximum number of services. An answer has room for two or three thousand names of one type, and whoever is in the
    /// LAN may make up gateways.
    static let mostServices = 1_000

    /// The services, by their instances in the LAN.
    package private(set) var services: [ServiceInstance: ZoneService] = [:]

    /// The number of those that are too many.
    private(set) var leftOut = 0

    /// The fingerprints that are to be published, and that gateways claim without a proof.
    private(set) var unproved: Set<GatewayFingerprint> = []

    /// - Parameters:
    ///   - gateways: The gateways of the map.
    ///   - last: The services so far. They stay before new ones come.
    ///   - interfaces: The interfaces of this host. Nobody else reaches its containers.
    package init(
        _ gateways: [Gateway],
        _ site: SiteSetting,
        after last: SiteServices? = nil,
        on interfaces: [HostInterface]
    ) {
        let wanted = site.gateways.map(Set.init)
        var proved: Set<GatewayFingerprint> = []
        for gateway in gateways {
            var places = gateway.paths.filter { $0.counts && $0.liveness?.isAlive == true }
            if let wanted, !Self.isNamed(gateway, in: wanted) {
                // Anybody may claim a fingerprint, at one place of a gateway too.
                places = places.filter { place in
                    guard let claimed = place.outcome?.identity?.fingerprint,
                        wanted.contains(.fingerprint(claimed))
                    else { return false }
                    if place.isProved { proved.insert(claimed) } else { unproved.insert(claimed) }
                    return place.isProved
                }
            }
            // Several rows may show one service: each adds the places at which its gateway answers.
            for service in gateway.discoveredServices {
                guard var found = Self.zoneService(service, answeringAt: places.map(\.endpoint), interfaces)
                else { continue }
                let others = services[service.instance]?.addresses ?? []
                found.addresses = Set(found.addresses + others).sorted()
                services[service.instance] = found
            }
        }
        unproved.subtract(proved)
        let before = last?.services ?? [:]
        let excess = services.keys.sorted { one, other in
            let (isOld, isOtherOld) = (before[one] != nil, before[other] != nil)
            return isOld == isOtherOld ? one < other : isOld
        }.dropFirst(Self.mostServices)
        for instance in excess { services[instance] = nil }
        leftOut = excess.count
    }

    private static func zoneService(
        _ service: DiscoveredService,
        answeringAt places: [Endpoint],
        _ interfaces: [HostInterface]
    ) -> ZoneService? {
        // The label of the host is its name in the zone as well: a host elsewhere may have the same one, and is another.
        guard (try? DomainName(escaped: service.instance.domain)) == .local, let port = service.port,
            let host = service.host, host.parent == .local
        else { return nil }
        let answering = places.filter { $0.port == port && service.addresses.contains($0.address) }.map(\.address)
        let usable = Set(answering).filter {
            !$0.isLinkLocal && !$0.isLoopback && interfaces.areOfContainers(around: $0) != true
        }
        guard !usable.isEmpty else { return nil }
        return ZoneService(
            name: service.instance.name,
            types: [service.instance.type],
            port: port,
            txt: service.txt ?? TXTRecord(),
            host: host.escaped,
            addresses: usable.sorted()
        )
    }

    private static func isNamed(_ gateway: Gateway, in wanted: Set<SiteGateway>) -> Bool {
        let own = [gateway.name] + gateway.otherNames + gateway.services.map(\.name)
        return wanted.contains { wanted in
            guard case .name(let name) = wanted else { return false }
            return own.contains { ASCIICase.equal($0.utf8, name.utf8) }
        }
    }

    /// Returns the updates that would publish them in a zone without any, as `nsupdate` reads them, after what they make known
    /// to whom.
    ///
    /// - Parameters:
    ///   - owner: The publisher.
    ///   - time: The time in seconds since 1970.
    /// - Throws: ``BackendError`` with the code `invalid` if a name is too long.
    package func updateText(_ site: SiteSetting, owner: String, at time: UInt64) throws(BackendError) -> String {
        let zone = site.zone
        // What is printed is not signed.
        let signer = TransactionSigner(name: zone.domain) { _ in [] }
        return try services.sorted { $0.key < $1.key }.map(\.value).updateText(
            for: ZoneConfiguration(
                domain: zone.domain,
                signer: signer,
                server: zone.server,
                owner: owner,
                isPointed: true
            ),
            at: time
        )
    }

    /// What is told of services that are not published; `nil` if all are.
    package var trouble: String? {
        if let excess = Self.excess(leftOut) { return excess }
        guard let fingerprint = unproved.min() else { return nil }
        return
            "\(SiteGateway.fingerprint(fingerprint)) is not in the zone: who answers under it does not prove it, by a certificate "
            + "with this fingerprint or by the one of its pairing"
    }

    /// Returns what is told of services that are too many; `nil` if none are.
    static func excess(_ count: Int) -> String? {
        guard count > 0 else { return nil }
        return
            "\(count) services are not in the zone, which gets \(mostServices) from one LAN at most. Look for who makes up "
            + "so many, or list the names of the gateways to publish"
    }
}
