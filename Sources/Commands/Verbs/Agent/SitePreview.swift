internal import Agent
internal import Console
internal import DNSSD
internal import Discovery
internal import HostSystem
internal import Reports
internal import Scanning

/// The records that the site of the settings would publish, as text.
struct SitePreview {
    private static let timeout = Duration.seconds(5)

    private let common: CommonOptions

    init(_ common: CommonOptions) {
        self.common = common
    }

    /// Prints what would be published of the gateways of the LAN: those of the agent that runs, or else those that a look finds.
    func print(_ settings: Settings) async throws {
        guard let site = settings.site.value else {
            throw CommandFailure(
                .usage,
                "the settings have no site; `clawradar config --help` shows how one is written"
            )
        }
        let known = common.backend == .auto ? AgentOption.look()?.rows : nil
        let gateways = if let known { known } else { try await look() }
        let services = SiteServices(gateways, site, on: HostInterface.all)
        let owner = PublisherID.current(environment: Environment.values(of: ReadToken.variables)) { Notes.warning($0) }
        let text: String
        do throws(BackendError) {
            text = try services.updateText(site, owner: owner, at: UInt64(WallClock.milliseconds / 1_000))
        } catch {
            throw CommandFailure(error)
        }
        try StandardOutput().write(text)
        if let trouble = services.trouble {
            Notes.warning("\(trouble).")
        } else if services.services.isEmpty {
            Notes.warning("no gateway of this LAN answers; nothing would be published.")
        }
    }

    /// Looks for the gateways of the LAN, under the names that the user has given them.
    private func look() async throws -> [Gateway] {
        let browser = try common.makeBrowser(
            types: [],
            interfaces: [],
            domains: WideAreaConfiguration(),
            maximumServices: BrowserConfiguration.mostServices,
            logger: common.logger
        )
        let overlay = await PairedOverlay.stored(within: .seconds(1))
        let configuration = ScannerConfiguration(manualGateways: overlay.pairings.flatMap(\.manualGateways))
        let scanner = GatewayScanner(configuration, browser: browser, logger: common.logger)
        let scan = Scan(source: NetworkSource(scanner: scanner), timeout: Self.timeout, start: .now)
        return try await overlay.laid(over: scanner.constellation) {
            try await scan.run(printer: nil, progress: ProgressLine()).0.gateways
        }
    }
}
