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

    /// Is told that one more watches the gateways, or one less: what is published is asked as often as what a person looks at, so
    /// that it is withdrawn soon after it is gone.
    let changeWatchers: @Sendable (_ difference: Int) async -> Void

    /// Publishes until the task is cancelled.
    func run(_ reporter: PartReporter) async throws {
        let backend = try publisher.backend(site.zone, isPointed: true)
        let (sets, source) = AsyncStream.makeStream(
            of: [ServiceInstance: ZoneService].self,
            bufferingPolicy: .bufferingNewest(1)
        )
        reporter.works()
        let troubles = SiteTroubles(reporter)
        await changeWatchers(1)
        await withDiscardingTaskGroup { group in
            group.addTask {
                var last: SiteServices?
                while !Task.isCancelled {
                    let host = HostInterface.all
                    let services = SiteServices(await constellation.gateways, site, after: last, on: host)
                    if services != last {
                        troubles.note { $0.ofServices = services.trouble }
                        source.yield(services.services)
                    }
                    last = services
                    try? await Task.sleep(for: Self.interval)
                }
            }
            await backend.keep(sets) { error in troubles.note { $0.ofZone = error?.message } }
            group.cancelAll()
        }
        await changeWatchers(-1)
    }
}

/// The reasons why not everything is in the zone, which come from two sides: the zone goes before the services.
private final class SiteTroubles: Sendable {
    struct Reasons {
        var ofZone: String?
        var ofServices: String?
    }

    private let reasons = Mutex(Reasons())
    private let reporter: PartReporter

    init(_ reporter: PartReporter) {
        self.reporter = reporter
    }

    /// Changes the reasons, and reports the first of them.
    func note(_ change: (inout Reasons) -> Void) {
        reasons.withLock { reasons in
            change(&reasons)
            reporter.works(except: reasons.ofZone ?? reasons.ofServices)
        }
    }
}
