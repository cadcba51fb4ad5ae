internal import DNSSD
internal import Discovery
internal import Scanning

/// A part that publishes the gateways of the LAN that answer in the zone of a site.
struct SitePart: Sendable {
    /// The time between two looks at what answers.
    private static let interval = Duration.seconds(2)

    let site: SiteSetting
    let publisher: ZonePublishing
    let constellation: Constellation

    /// Publishes until the task is cancelled.
    func run(_ reporter: PartReporter) async throws {
        let backend = try publisher.backend(site.zone, isPointed: true)
        let (sets, source) = AsyncStream.makeStream(
            of: [ServiceInstance: ZoneService].self,
            bufferingPolicy: .bufferingNewest(1)
        )
        reporter.works()
        await withDiscardingTaskGroup { group in
            group.addTask {
                var last: [ServiceInstance: ZoneService]?
                while !Task.isCancelled {
                    let services = SiteServices.of(await constellation.gateways, site)
                    if services != last { source.yield(services) }
                    last = services
                    try? await Task.sleep(for: Self.interval)
                }
            }
            await backend.keep(sets) { reporter.works(except: $0?.message) }
            group.cancelAll()
        }
    }
}

/// What of a map is published in the zone of a site.
enum SiteServices {
    /// Returns the services that lead to gateways of the LAN that answer: each with the addresses at which it does.
    ///
    /// What was learned from a zone is left out, or sites would repeat one another.
    static func of(_ gateways: [Gateway], _ site: SiteSetting) -> [ServiceInstance: ZoneService] {
        var services: [ServiceInstance: ZoneService] = [:]
        for gateway in gateways where isWanted(gateway, site) {
            let places = gateway.paths.filter { $0.counts && $0.liveness?.isAlive == true }.map(\.endpoint)
            for service in gateway.discoveredServices
            where (try? DomainName(escaped: service.instance.domain)) == .local {
                guard let host = service.host, let port = service.port else { continue }
                let answering = places.filter { $0.port == port && service.addresses.contains($0.address) }.map(
                    \.address
                )
                let usable = Set(answering).filter { !$0.isLinkLocal && !$0.isLoopback }.sorted()
                guard !usable.isEmpty else { continue }
                services[service.instance] = ZoneService(
                    name: service.instance.name,
                    types: [service.instance.type],
                    port: port,
                    txt: service.txt ?? TXTRecord(),
                    host: host.escaped,
                    addresses: usable
                )
            }
        }
        return services
    }

    private static func isWanted(_ gateway: Gateway, _ site: SiteSetting) -> Bool {
        guard let names = site.gateways else { return true }
        let own = [gateway.name] + gateway.otherNames + gateway.services.map(\.name)
        return names.contains { name in own.contains { ASCIICase.equal($0.utf8, name.utf8) } }
    }
}
