internal import ArgumentParser
internal import DNSSD
internal import GatewayProtocol
internal import Gateways

/// `clawradar probe`: asks one address which gateway it is.
struct ProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Asks one address which gateway it is, and shows each step.",
        usage: "clawradar probe <address> [<options>]",
        discussion: """
            Sends nothing secret, asks for no pairing and follows no redirect. Certificates are shown and prove nothing: \
            compare the one of your gateway. Ctrl-C ends it.

            EXAMPLES:
              clawradar probe 192.168.1.50:3000
              clawradar probe wss://studio.local:18789 --format json | jq .gateway

            Exit status: 0 when a gateway answered, 1 when nothing or something else did, 64 when the address is wrong.
            """
    )

    @Argument(
        help: ArgumentHelp("HOST:PORT, [IPv6]:PORT, or a URL of ws, wss, http or https.", valueName: "address"),
        transform: { try ProbeAddress($0) }
    )
    var address: ProbeAddress

    @Option(
        help: ArgumentHelp(
            "How long to ask at most, in seconds; 500ms is understood too. Default: 5.",
            valueName: "seconds"
        ),
        transform: { try TimeLimit($0) }
    )
    var timeout = TimeLimit(seconds: 5)

    @Option(help: ArgumentHelp("How to print it.", valueName: "format"))
    var format = ProbeFormat.table

    func run() async throws {
        let deadline = ContinuousClock.now + timeout.duration
        guard let addresses = await HostAddresses.of(address.host, within: timeout.duration) else {
            throw CommandFailure(.nothingFound, "no answer about the name \(address.host) in \(timeout) s")
        }
        guard !addresses.isEmpty else {
            throw CommandFailure(.nothingFound, HostAddresses.absence(of: address.host))
        }
        var configuration = GatewayProbeConfiguration()
        configuration.duration = GatewayProbeConfiguration.duration(within: timeout.duration)
        let target = GatewayProbeTarget(
            endpoints: addresses.map { Endpoint(address: $0, port: address.port) },
            rules: TargetRules(origin: .user),
            hints: [
                ProbeHint(expected: address.dialect, transports: address.transports, resource: address.resource)
            ]
        )
        guard let report = await Self.report(GatewayProbe(configuration), target, deadline) else { return }

        let output = StandardOutput()
        switch format {
        case .table: try output.write(ProbeTable.text(report, width: output.terminal?.columns))
        case .json: try output.write(JSONText.line(ProbeOutput(report)))
        }
        guard report.finding.dialect == nil else { return }
        throw CommandFailure(.nothingFound, "no gateway at \(address): \(report.finding.summary)")
    }

    /// What comes of asking, until the user has enough.
    private static func report(
        _ probe: GatewayProbe,
        _ target: GatewayProbeTarget,
        _ deadline: ContinuousClock.Instant
    ) async -> GatewayProbeReport? {
        await withTaskGroup(of: GatewayProbeReport?.self) { group in
            group.addTask { await probe.run(target, deadline: deadline) }
            group.addTask {
                await Signals.waitForEnd()
                return nil
            }
            var report: GatewayProbeReport?
            for await ended in group {
                // Either it is known, or the user has enough; the probe then tells what it knows by now.
                group.cancelAll()
                report = report ?? ended
            }
            return report
        }
    }
}
