internal import ArgumentParser
internal import DNSSD
internal import Discovery

/// `clawradar scan`: one look.
struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Looks once, and prints the gateways that are there.",
        discussion: """
            Ends as soon as nothing new has come for a second and every service is resolved, and after --timeout at the \
            latest. Ctrl-C ends it early and prints what was found until then.

            EXAMPLES:
              clawradar scan
              clawradar scan --timeout 10 --format json | jq '.services[].gateway.name'
              clawradar scan --type _openclaw._tcp --interface eth0 --format ndjson

            Exit status: 0 when something was found, 1 when nothing was, 69 when there is no daemon or no network.
            """
    )

    @Option(
        help: ArgumentHelp(
            "How long to look at most, in seconds; 500ms is understood too. Default: 3.",
            valueName: "seconds"
        ),
        transform: { try TimeLimit($0) }
    )
    var timeout = TimeLimit(seconds: 3)

    @Option(help: ArgumentHelp("How to print it.", valueName: "format"))
    var format = ScanFormat.table

    @OptionGroup var type: TypeOption
    @OptionGroup var interface: InterfaceOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let backend: any ServiceBackend
        do { backend = try common.makeBackend(logger: common.logger) } catch { throw CommandFailure(error) }
        let configuration = BrowserConfiguration(types: type.types, interfaces: Set(interface.interfaces))
        let output = StandardOutput()
        let printer = format == .ndjson ? ServicePrinter { try output.write($0) } : nil

        let scan = Scan(browser: Browser(configuration, backend: backend), timeout: timeout.duration)
        let result = try await scan.run(printer: printer)

        switch format {
        case .table: try output.write(ScanTable.text(result.services, width: output.terminal?.columns))
        case .json: try output.write(JSONText.line(ScanOutput(result)))
        case .ndjson: try printer?.finish(result.services)
        }
        if format != .json {
            for warning in result.warnings { Notes.warning(warning) }
        }
        try conclude(result)
    }

    /// Says what remains to be said, and chooses the exit status.
    private func conclude(_ result: ScanResult) throws {
        let trouble = ScanVerdict(
            result,
            timeout: timeout,
            interfaces: interface.interfaces,
            connected: HostInterfaces.connected
        )
        switch trouble {
        case .found(let warning):
            if let warning { Notes.warning(warning) }
        case .failed(let failure):
            throw failure
        }
    }
}
