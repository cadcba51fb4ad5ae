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

    /// Looks for the gateways of the LAN, and prints what would be published of them.
    func print(_ settings: Settings) async throws {
        guard let site = settings.site.value else {
            throw CommandFailure(
                .usage,
                "the settings have no site; `clawradar config --help` shows how one is written"
            )
        }
        let browser = try common.makeBrowser(
            types: [],
            interfaces: [],
            domains: WideAreaConfiguration(),
            maximumServices: BrowserConfiguration.mostServices,
            logger: common.logger
        )
        let scanner = GatewayScanner(ScannerConfiguration(), browser: browser, logger: common.logger)
        let scan = Scan(source: NetworkSource(scanner: scanner), timeout: Self.timeout, start: .now)
        let (snapshot, _) = try await scan.run(printer: nil, progress: ProgressLine())
        let services = SiteServices(snapshot.gateways, site, on: HostInterface.all)
        let owner = PublisherID.current(environment: Environment.values(of: ReadToken.variables)) { Notes.warning($0) }
        let text: String
        do throws(BackendError) {
            text = try services.updateText(site, owner: owner, at: UInt64(WallClock.milliseconds / 1_000))
        } catch {
            throw CommandFailure(error)
        }
        try StandardOutput().write(text)
        if services.services.isEmpty { Notes.warning("no gateway of this LAN answers; nothing would be published.") }
    }
}
