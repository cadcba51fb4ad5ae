internal import DNSSD
internal import Discovery
internal import HostSystem
internal import Scanning
internal import Synchronization

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
        let leftOut = LeftOut()
        await withDiscardingTaskGroup { group in
            group.addTask {
                var last: SiteServices?
                while !Task.isCancelled {
                    let host = HostInterface.all
                    let services = SiteServices(await constellation.gateways, site, after: last, on: host)
                    leftOut.count.withLock { $0 = services.leftOut }
                    if services != last { source.yield(services.services) }
                    last = services
                    try? await Task.sleep(for: Self.interval)
                }
            }
            await backend.keep(sets) { error in
                reporter.works(except: error?.message ?? SiteServices.excess(leftOut.count.withLock { $0 }))
            }
            group.cancelAll()
        }
    }
}

/// The number of services that are too many, for whoever tells it.
private final class LeftOut: Sendable {
    let count = Mutex(0)
}
