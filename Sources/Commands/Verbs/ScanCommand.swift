internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import Reports
internal import Scanning

/// `clawradar scan`: scans once, and prints the gateways.
struct ScanCommand: AsyncParsableCommand, AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Looks once, and prints the gateways on the network with their bots.",
        usage: "clawradar scan [<options>]",
        discussion: """
            Asks everything that is advertised what it is, and the last known addresses of paired gateways; nothing \
            secret is sent. Ends when everything has been \
            asked and nothing new has come for a second, and after --timeout at the latest. Ctrl-C ends it early, and \
            prints what is known so far. On a terminal, a line on standard error shows the progress.

            --no-probe shows the services as they are advertised, and asks no gateway. Neither do the formats \
            openclaw (the output of `openclaw gateway discover --json`, for the type _openclaw-gw._tcp unless --type \
            is given) and avahi (the output of `avahi-browse -rpt`).

            If `clawradar agent` runs, it is asked: it has the picture already, and asks each gateway once more. \
            --no-agent, other formats, and options for what is looked for or how, look without it.

            --this-host also finds gateways of this host that nobody advertises, on loopback, too, and --tailnet those of \
            the machines of the tailnet. --sweep looks around: it asks all hosts of your network.

            EXAMPLES:
              clawradar scan
              clawradar scan --timeout 10 --format json | jq '.gateways[] | .name, .bots[].name'
              clawradar scan --gateway wss://bot.example.org --gateway 192.168.7.2:3000
              clawradar scan --domain openclaw.internal
              clawradar scan --no-probe --type _openclaw._tcp --interface eth0 --format ndjson

            Exit status: 0 if a gateway answered (with --no-probe: if something was found), 1 if none did, 64 if the \
            command line or the configuration is invalid, 69 if there is no daemon or no network.
            """
    )

    @Option(
        help: .time("The maximum duration", default: "3"),
        transform: { try TimeLimit($0) }
    )
    var timeout = TimeLimit(seconds: 3)

    @Option(help: ArgumentHelp("The output format.", valueName: "format"))
    var format = ScanFormat.table

    @OptionGroup var type: TypeOption
    @OptionGroup var interface: InterfaceOption
    @OptionGroup var domain: DomainOptions
    @OptionGroup var limit: ServiceLimitOption
    @OptionGroup var gateway: GatewayOption
    @OptionGroup var places: PlaceOptions
    @OptionGroup var agent: AgentOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let given = places.given, gateway.noProbe || format.isOfServices {
            let other = gateway.noProbe ? "--no-probe" : "--format \(format.rawValue)"
            throw ValidationError("\(given) asks gateways, and \(other) asks none. Leave one of them out.")
        }
        if format.isOfServices, !gateway.typed.isEmpty {
            throw ValidationError(
                "--format \(format.rawValue) shows what is advertised; --gateway names what is not. Leave one of them out."
            )
        }
    }

    func run() async throws {
        let begin = ContinuousClock.now
        if let scan = askAgent() { return try show(scan) }
        let asks = !gateway.noProbe && !format.isOfServices
        let addresses = asks ? try gateway.addresses() : []
        // Results or log lines on the same terminal would disturb the progress line.
        let isAlone = asks && !common.verbose && (format != .ndjson || output.terminal == nil)
        let progress = isAlone ? ProgressLine() : nil
        let found = await places.find(on: interface.interfaces, progress)
        // What has been found is asked in all of the time.
        let start = AgentOption.start(since: places.isUsual ? begin : .now, within: timeout)
        // Half of the time for name resolution, so that the rest is left for asking the gateways.
        let manual = await ManualGateways(addresses, within: timeout.duration / 2)
        let overlay = asks ? await PairedOverlay.stored(within: .seconds(1)) : .none
        let source = NetworkSource(
            scanner: try scanner(
                manual.gateways + found.gateways + overlay.pairings.flatMap(\.manualGateways),
                asks: asks
            ),
            topics: asks ? .all : [.services, .backends]
        )
        let scan = Scan(source: source, timeout: timeout.duration, start: start)
        let printer = format == .ndjson ? printer(asks: asks) : nil
        let (snapshot, services) = try await overlay.laid(over: source.scanner.constellation) {
            try await scan.run(printer: printer, progress: progress)
        }
        let result = services.adding(warnings: manual.problems + found.reasons)

        if let printer {
            try printer.finish(snapshot)
        } else if asks {
            try showGateways(snapshot, result)
        } else {
            try showServices(result)
        }
        warn(of: result)
        if asks, format == .table, let next = NextStep.line(snapshot.gateways) { Notes.write("\(next)\n") }
        if asks, format == .table, overlay.pairings.isEmpty { OlderConfiguration.note() }
        try conclude(
            asks
                ? ScanVerdict(snapshot, result, timeout: timeout, scope: scanned)
                : ScanVerdict(result, timeout: timeout, scope: scanned)
        )
    }

    /// Asks the agent of this user; `nil` if none runs, or this command looks for other things than an agent does.
    private func askAgent() -> AgentScan? {
        isUsual && !format.isOfServices ? agent.scan(within: timeout) : nil
    }

    private func show(_ scan: AgentScan) throws {
        switch format {
        case .json: try output.write(scan.line)
        case .ndjson: for line in scan.lines { try output.write(line) }
        case .table:
            let width = output.terminal?.columns
            try output.write(GatewayTable.text(scan.gateways, scan.others, width: width, style: output.style))
        case .openclaw, .avahi: break
        }
        if format != .json { for warning in scan.warnings { Notes.warning(warning) } }
        if format == .table, let next = NextStep.line(reports: scan.reports) { Notes.write("\(next)\n") }
        try conclude(scan.verdict(scope: scanned))
    }

    private var output: StandardOutput { StandardOutput() }

    var scope: [any ScopeOption] { [type, interface, domain, limit, gateway, places] }

    private var scanned: ScanScope { .ofThisHost(interfaces: interface.interfaces, types: type.given) }

    private func scanner(_ manual: [ManualGateway], asks: Bool) throws -> GatewayScanner {
        let browser = try common.makeBrowser(
            types: format == .openclaw && type.given.isEmpty ? [.openClawGateway] : type.given,
            interfaces: interface.interfaces,
            domains: domain.configuration,
            maximumServices: limit.maximum,
            logger: common.logger
        )
        var configuration = ScannerConfiguration(manualGateways: manual, probes: asks, watches: false)
        configuration.probe.duration = GatewayProbeConfiguration.duration(within: timeout.duration)
        return GatewayScanner(
            configuration,
            browser: browser,
            constellation: Constellation(
                limits: limit.ofMap(besides: manual),
                asksRepeatedly: false,
                showsGateways: asks
            ),
            logger: common.logger
        )
    }

    private func printer(asks: Bool) -> any ScanPrinter {
        let output = output
        return asks ? GatewayPrinter { try output.write($0) } : ServicePrinter { try output.write($0) }
    }

    // MARK: Results

    private func showGateways(_ snapshot: NetworkSnapshot, _ result: ScanResult) throws {
        switch format {
        case .table:
            try output.write(GatewayTable.text(snapshot, width: output.terminal?.columns, style: output.style))
        case .json: try output.write(ScanReport(snapshot, scan: result.report).line)
        case .ndjson, .openclaw, .avahi: break
        }
    }

    private func showServices(_ result: ScanResult) throws {
        switch format {
        case .table: try output.write(ScanTable.text(result.services, width: output.terminal?.columns))
        case .json: try output.write(result.report.line)
        case .openclaw: try output.write(OpenClawReport.line(result.services, timeout: timeout.duration))
        case .avahi: try output.write(bytes: AvahiLines.bytes(result.services))
        case .ndjson: break
        }
    }

    private func warn(of result: ScanResult) {
        // The JSON object contains the warnings already.
        guard format != .json else { return }
        for warning in result.warnings { Notes.warning(warning) }
        if let losses = result.losses.text { Notes.note(losses) }
    }

    /// Prints the last warning, and throws a failure with the exit status if there is one.
    private func conclude(_ verdict: ScanVerdict) throws {
        switch verdict {
        case .found(let warning):
            if let warning { Notes.warning(warning) }
        case .failed(let failure):
            throw failure
        }
    }
}
