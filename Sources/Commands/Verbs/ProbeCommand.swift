internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import Discovery
internal import GatewayClient
internal import GatewayProtocol
internal import Reports
internal import Scanning

/// `clawradar probe`: asks one address which gateway is there.
struct ProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Asks one address what it is, and shows each step.",
        usage: "clawradar probe <address> [<options>]",
        discussion: """
            Sends nothing secret, requests no pairing and follows no redirect. A certificate that is shown proves \
            nothing by itself: compare it with that of your gateway. Ctrl-C ends it.

            An advertised or paired gateway can be given by any name that it has: yours, its own, or that of a bot. \
            Anybody can use any name: if several gateways have it, none is asked. A host without a port is asked at the usual ports.

            EXAMPLES:
              clawradar probe 192.168.1.50:3000
              clawradar probe wss://studio.local:18789 --format json | jq -r .summary
              clawradar probe "Home Gateway"
              clawradar probe studio.local

            Exit status: 0 if a gateway answered, 1 if nothing or something else did, 64 if the address or the \
            configuration is invalid, 69 if there is no daemon or no network, 130 if it was cancelled.
            """
    )

    @Argument(
        help: ArgumentHelp(
            """
            HOST:PORT, HOST, [IPv6]:PORT, NAME=ADDRESS:PORT to ask an address by a host name, a URL with ws, wss, http or \
            https, or the name of a gateway or bot.
            """,
            valueName: "address"
        ),
        transform: { try ProbeSubject($0) }
    )
    var subject: ProbeSubject

    @Option(
        help: .time("The maximum duration", default: "5"),
        transform: { try TimeLimit($0) }
    )
    var timeout = TimeLimit(seconds: 5)

    @Option(help: ArgumentHelp("The output format.", valueName: "format"))
    var format = ReportFormat.table

    func run() async throws {
        let deadline = ContinuousClock.now + timeout.duration
        if case .host(let host) = subject { return try await run(host, deadline) }
        let target = try await target()
        var configuration = GatewayProbeConfiguration()
        configuration.duration = GatewayProbeConfiguration.duration(within: timeout.duration)
        let (found, isCancelled) = await Self.report(GatewayProbe(configuration), target, deadline)
        guard let report = found else { return }
        try show(report, isCancelled: isCancelled)
    }

    /// Prints the result of a probe, and throws if it found no gateway.
    private func show(_ report: GatewayProbeReport, isCancelled: Bool) throws {
        let output = StandardOutput()
        switch format {
        case .table: try output.write(ProbeTable.text(report, width: output.terminal?.columns))
        case .json: try output.write(ProbeReport(report).line)
        }
        guard report.verdict.dialect == nil else { return }
        if isCancelled { throw CommandFailure(.cancelled, "cancelled; no gateway had answered.") }
        throw CommandFailure(.nothingFound, "no gateway at \(Self.place(subject, report)): \(report.verdict.summary)")
    }

    /// Returns the place where no gateway was found, for people.
    private static func place(_ subject: ProbeSubject, _ report: GatewayProbeReport) -> String {
        switch subject {
        case .address(let address): "\(address)"
        case .host(let name), .name(let name):
            (report.path?.endpoint ?? report.steps.first?.endpoint)?.description ?? name
        }
    }

    // MARK: A host

    /// Asks a host at the ports at which gateways usually listen, all at once, and shows the first of them that is a
    /// gateway; without any, the first that answered. A name that is no host's may be that of a gateway.
    private func run(_ host: String, _ deadline: ContinuousClock.Instant) async throws {
        guard let addresses = await HostAddresses.of(host, within: timeout.duration / 2), !addresses.isEmpty else {
            guard IPAddress(String(host.prefix { $0 != "%" })) == nil else {
                throw CommandFailure(.nothingFound, HostAddresses.absence(of: host))
            }
            var named = self
            named.subject = .name(host)
            return try await named.run()
        }
        var configuration = GatewayProbeConfiguration()
        configuration.duration = GatewayProbeConfiguration.duration(within: timeout.duration)
        let ports = GatewayDialect.usualPorts
        let reports = await withTaskGroup(of: (Int, GatewayProbeReport?, Bool).self) { [configuration] group in
            for (index, port) in ports.enumerated() {
                let target = GatewayProbeTarget(
                    endpoints: addresses.map { Endpoint(address: $0, port: port, serverName: ServerName(host)) },
                    rules: TargetRules(origin: .user),
                    hints: [ProbeHint(expected: GatewayProbeTarget.expected(ofPort: port), isOfPlace: true)]
                )
                group.addTask {
                    let (report, isCancelled) = await Self.report(GatewayProbe(configuration), target, deadline)
                    return (index, report, isCancelled)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }
        }
        let gateways = reports.filter { $0.1?.verdict.dialect != nil }
        let answered = reports.filter { if case .other? = $0.1?.verdict { true } else { false } }
        guard case (let index, let report?, let isCancelled)? = gateways.first ?? answered.first else {
            if reports.contains(where: \.2) { throw CommandFailure(.cancelled, "cancelled; no gateway had answered.") }
            throw CommandFailure(.nothingFound, "\(host) has \(NoAnswer.notAtUsualPorts). Give its port.")
        }
        for other in gateways where other.0 != index {
            let command = ShellWord("\(host):\(ports[other.0])").map { "clawradar probe \($0)" }
            Notes.note("another gateway is there: \(command ?? "at port \(ports[other.0])")")
        }
        try show(report, isCancelled: isCancelled)
    }

    // MARK: The target

    private func target() async throws -> GatewayProbeTarget {
        switch subject {
        case .address(let address): try await target(address)
        case .host(let name), .name(let name): try await target(name)
        }
    }

    private func target(_ address: ProbeAddress) async throws -> GatewayProbeTarget {
        guard let addresses = await HostAddresses.of(address.host, within: timeout.duration) else {
            throw CommandFailure(.nothingFound, "no answer about the name \(address.host) in \(timeout) s")
        }
        guard !addresses.isEmpty else {
            throw CommandFailure(.nothingFound, HostAddresses.absence(of: address.host))
        }
        return GatewayProbeTarget(
            endpoints: addresses.map(address.endpoint(at:)),
            rules: TargetRules(origin: .user),
            hints: [ProbeHint(expected: address.dialect, transports: address.transports, isOfPlace: true)]
        )
    }

    /// Scans as `scan` does, because names are those that `scan` shows.
    private func target(_ name: String) async throws -> GatewayProbeTarget {
        let start = ContinuousClock.now
        // Half of the time, so that the rest is left for the probe.
        let limit = timeout.half
        let addresses = try GatewayOption.configured()
        let manual = await ManualGateways(addresses, within: limit.duration / 2)
        let browser: Browser
        do {
            browser = Browser(BrowserConfiguration(types: ServiceType.gatewayTypes), backend: try Backends.system())
        } catch {
            throw CommandFailure(error)
        }
        let stored = KnownNames.stored()
        var configuration = ScannerConfiguration(
            manualGateways: manual.gateways + stored.pairings.flatMap(\.manualGateways),
            watches: false
        )
        configuration.probe.duration = GatewayProbeConfiguration.duration(within: limit.duration)
        let scan = Scan(
            source: NetworkSource(scanner: GatewayScanner(configuration, browser: browser)),
            timeout: limit.duration,
            start: start
        )
        let (snapshot, result) = try await scan.run(printer: nil, progress: format == .table ? ProgressLine() : nil)
        let isNothingThere = snapshot.gateways.isEmpty && snapshot.others.isEmpty
        // A missing network explains more than a name that was not found.
        if isNothingThere,
            case .failed(let failure) = ScanVerdict(snapshot, result, timeout: limit, scope: .ofThisHost()),
            failure.status != .nothingFound
        {
            throw failure
        }
        return try NamedThing.target(name, in: snapshot, known: stored)
    }

    // MARK: Asking

    /// Returns the result of the probe, which ends early if the user interrupts it.
    private static func report(
        _ probe: GatewayProbe,
        _ target: GatewayProbeTarget,
        _ deadline: ContinuousClock.Instant
    ) async -> (report: GatewayProbeReport?, isCancelled: Bool) {
        await withTaskGroup(of: GatewayProbeReport?.self) { group in
            group.addTask { await probe.run(target, deadline: deadline) }
            group.addTask {
                await Signals.waitForEnd()
                return nil
            }
            var report: GatewayProbeReport?
            var isCancelled = false
            for await ended in group {
                if ended == nil, report == nil { isCancelled = true }
                // Either the probe has ended, or the user has interrupted it; then the probe still returns its partial
                // result.
                group.cancelAll()
                report = report ?? ended
            }
            return (report, isCancelled)
        }
    }
}
