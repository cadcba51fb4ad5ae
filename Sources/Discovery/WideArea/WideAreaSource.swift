internal import DNSSD

/// Zones as a source of every browse, beside those of the link: its services are in other domains than theirs.
struct WideAreaSource: BrowseSource {
    private let configuration: WideAreaConfiguration
    private let maximumServices: Int

    let traits = SourceTraits(name: .zone, role: .beside, rank: SourceRank.zone)

    init(_ configuration: WideAreaConfiguration, maximumServices: Int) {
        self.configuration = configuration
        self.maximumServices = maximumServices
    }

    func makeSession(
        _ request: BrowseRequest,
        report: @escaping @Sendable (SourceReport) -> Void
    ) -> any SourceSession {
        Session(source: self, types: request.types, report: report)
    }

    // An answer holds for as long as its zone says: there is nobody else to ask.
    func reconfirm(_ instance: ServiceInstance) {}

    func protect(_ instance: ServiceInstance, _ isProtected: Bool) {}

    private struct Session: SourceSession {
        let source: WideAreaSource
        let types: [ServiceType]
        let report: @Sendable (SourceReport) -> Void

        func run() async {
            let (report, configuration) = (report, source.configuration)
            let system = ResolverFile.current
            let browse = ZoneBrowse(
                types: types,
                domains: configuration.domains,
                searchDomains: configuration.usesNetworkDomains ? system.searchDomains : [],
                maximumInstances: source.maximumServices,
                questions: configuration.questions(system, now: .now),
                now: .now
            )
            let runner = try? ZoneRunner(browse) { browse in
                let events = browse.takeEvents()
                if !events.isEmpty { report(.events(events)) }
                return true
            }
            guard let runner else { return await Task.untilCancelled() }
            await runner.run()
        }
    }
}
