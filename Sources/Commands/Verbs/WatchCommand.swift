internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import Discovery
internal import Pairing
internal import Reports
internal import Scanning

/// `clawradar watch`: keeps running, and shows gateways as they appear, change and disappear.
struct WatchCommand: AsyncParsableCommand, AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows gateways and their bots as they appear, change and disappear, until it is ended.",
        usage: "clawradar watch [<options>]",
        discussion: """
            On a terminal it shows a live table, in which + marks what is new, ~ what has changed and - what has \
            left. Otherwise it prints one line for each change. Each gateway is asked every 2 seconds whether it \
            answers: one that does not is first “suspect” and then “gone”, whatever is advertised. If the daemon goes \
            away, watch says so, waits for it, and resumes by itself. Ctrl-C ends it.

            If `clawradar agent` runs, it is asked, and has the picture already. If it ends, watch waits 5 seconds for \
            it, and then looks for itself. --no-agent, --record, and options for what is looked for or how, look without \
            it from the start.

            --record writes what is learned to a file, and --replay shows it again: on a terminal at the original \
            speed, or --speed times as fast; otherwise without pauses, unless --speed is given.

            EXAMPLES:
              clawradar watch
              clawradar watch --no-probe --type _openclaw._tcp | tee services.log
              clawradar watch --format ndjson | jq -r 'select(.kind == "gateway" and .event == "lost").gateway.name'
              clawradar watch --record evening.ndjson
              clawradar watch --replay evening.ndjson --speed 10

            Exit status: 0; 64 if the command line, the configuration or the recording is invalid, 69 if there is no \
            backend, 74 if the results or the recording could not be written.
            """
    )

    @Option(help: ArgumentHelp("The output format.", valueName: "format"))
    var format = WatchFormat.table

    @Option(
        help: ArgumentHelp(
            "Write everything that is learned to this file, replacing an existing one.",
            valueName: "file"
        ),
        completion: .file()
    )
    var record: String?

    @Option(
        help: ArgumentHelp("Show what was recorded in this file instead of the network.", valueName: "file"),
        completion: .file()
    )
    var replay: String?

    @Option(
        help: ArgumentHelp(
            "The speed of the replay, such as 10 for ten times as fast; max is without pauses.",
            valueName: "times"
        ),
        transform: { try ReplaySpeed($0) }
    )
    var speed: ReplaySpeed?

    @OptionGroup var type: TypeOption
    @OptionGroup var interface: InterfaceOption
    @OptionGroup var domain: DomainOptions
    @OptionGroup var limit: ServiceLimitOption
    @OptionGroup var gateway: GatewayOption
    @OptionGroup var agent: AgentOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if gateway.noProbe, record != nil {
            throw ValidationError("--record writes what gateways answer; --no-probe asks none. Leave one of them out.")
        }
        if record == "-" {
            throw ValidationError(
                "Standard output is where the results go; give --record a file, such as watch.ndjson."
            )
        }
        guard replay != nil else {
            if speed != nil { throw ValidationError("--speed is for --replay.") }
            return
        }
        let ofTheNetwork = [
            ("--record", record != nil), ("--no-probe", gateway.noProbe), ("--gateway", !gateway.typed.isEmpty),
            ("--type", !type.given.isEmpty), ("--interface", !interface.interfaces.isEmpty),
            ("--domain", !domain.domains.isEmpty), ("--wide-area", domain.wideArea),
            ("--max-services", limit.maximum != BrowserConfiguration.mostServices), ("--no-agent", agent.noAgent),
        ]
        if let (name, _) = ofTheNetwork.first(where: \.1) {
            throw ValidationError(
                "--replay shows a recording and not the network, which \(name) is about. Leave it out."
            )
        }
    }

    var scope: [any ScopeOption] { [type, interface, domain, limit, gateway] }

    /// A watch shows for hours what it has read: it waits for as long as the store itself does.
    private static let storeTimeout = Duration.seconds(6)

    func run() async throws {
        let output = StandardOutput()
        let isLive = format == .table && Environment.canMoveCursor && output.terminal != nil
        if let replay {
            let speed = speed ?? (isLive ? .times(1) : .unpaced)
            try await show(Replay(path: replay, speed: speed), isLive: isLive, output)
        } else if let source = agentSource(isLive: isLive) {
            try await show(source, isLive: isLive, output)
            suggest(source.rows.all)
        } else {
            let overlay = gateway.noProbe ? .none : await PairedOverlay.stored(within: Self.storeTimeout)
            let source = try await network(isLive: isLive, overlay.pairings)
            let constellation = source.scanner.constellation
            try await overlay.laid(over: constellation) { try await show(source, isLive: isLive, output) }
            if !gateway.noProbe { suggest(await constellation.gateways) }
            if let text = source.scanner.browser.losses.text { Notes.note(text) }
        }
    }

    /// Suggests the next command to people.
    private func suggest(_ rows: [Gateway]) {
        if format == .table, let next = NextStep.line(rows) { Notes.write("\(next)\n") }
    }

    /// Returns the agent of this user as a source; `nil` if none runs, or this command looks for other things than an
    /// agent does.
    private func agentSource(isLive: Bool) -> AgentSource? {
        guard isUsual, record == nil else { return nil }
        return agent.source {
            let overlay = await PairedOverlay.stored(within: Self.storeTimeout)
            var source = try await network(isLive: isLive, overlay.pairings)
            // What the agent has shown stays until there is something in its place.
            source.settlesFirst = true
            return OverlaidSource(source: source, overlay: overlay)
        }
    }

    private func show(_ source: any WatchSource, isLive: Bool, _ output: StandardOutput) async throws {
        do {
            if isLive {
                let table: any LiveTable = gateway.noProbe ? ServiceTableModel() : GatewayTableModel()
                try await LiveWatch(source: source, table: table, output: output).run()
            } else {
                let lines: any WatchLines =
                    gateway.noProbe ? ServiceLines(format: format) : GatewayLines(format: format)
                try await LineWatch(source: source, lines: lines, write: { try output.write($0) }).run()
            }
        } catch let error as RecordingError {
            throw CommandFailure(replay == nil ? .outputFailed : .usage, error.description)
        }
    }

    /// Returns the network to watch, which includes the last known addresses of paired gateways.
    private func network(isLive: Bool, _ pairings: [StoredPairing]) async throws -> NetworkSource {
        let addresses = gateway.noProbe ? [] : try gateway.addresses()
        let manual = await ManualGateways(addresses, within: .seconds(5))
        for problem in manual.problems { Notes.warning(problem) }
        // Log lines would disturb the live picture.
        let logger = isLive ? nil : common.logger
        // Made before the recorder, which replaces an existing file: without a backend the file must stay.
        let browser = try common.makeBrowser(
            types: type.given,
            interfaces: interface.interfaces,
            domains: domain.configuration,
            maximumServices: limit.maximum,
            logger: logger
        )
        let recorder: Recorder?
        do throws(RecordingError) {
            recorder = if let record { try Recorder(path: record, startedAt: .now) } else { nil }
        } catch {
            throw CommandFailure(.outputFailed, error.description)
        }
        var observer: (@Sendable (BotMapEvent) -> Void)?
        if let recorder { observer = { recorder.take($0) } }
        let asked = manual.gateways + pairings.flatMap(\.manualGateways)
        let scanner = GatewayScanner(
            ScannerConfiguration(manualGateways: asked, probes: !gateway.noProbe),
            browser: browser,
            constellation: Constellation(
                limits: limit.ofMap(besides: asked),
                showsGateways: !gateway.noProbe,
                observer: observer
            ),
            logger: logger
        )
        return NetworkSource(
            scanner: scanner,
            topics: gateway.noProbe ? [.services, .backends] : .all,
            recorder: recorder
        )
    }
}
