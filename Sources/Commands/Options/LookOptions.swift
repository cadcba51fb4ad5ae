internal import Agent
internal import ArgumentParser
internal import Console
internal import GatewayClient
internal import Pairing
internal import Reports
internal import Scanning

/// The options of a verb that looks once for gateways, those that are paired among them, and shows what it has found.
struct LookOptions: ParsableArguments {
    @Option(
        help: .time("The maximum duration", default: "3"),
        transform: { try TimeLimit($0) }
    )
    var timeout = TimeLimit(seconds: 3)

    @OptionGroup var format: ReportFormatOption
    @OptionGroup var common: CommonOptions

    /// Looks for gateways, and at the addresses of those that are paired.
    ///
    /// - Parameters:
    ///   - store: The store; `nil` if there is none.
    ///   - pairings: The pairings in it.
    ///   - others: Further gateways that are asked.
    ///   - start: The time from which the maximum duration counts.
    ///   - waitUntilKnown: Waits until what is looked for is known, if that may be before everything is.
    func look(
        _ store: PairingStore?,
        _ pairings: [StoredPairing],
        and others: [ManualGateway] = [],
        since start: ContinuousClock.Instant,
        waitUntilKnown: (@Sendable (Constellation) async -> Void)? = nil
    ) async throws -> (NetworkSnapshot, ScanResult) {
        var configuration = ScannerConfiguration(
            manualGateways: others + pairings.flatMap(\.manualGateways),
            watches: false
        )
        configuration.probe.duration = GatewayProbeConfiguration.duration(within: timeout.duration)
        let scanner = try common.makeScanner(configuration, logger: common.logger)
        var scan = Scan(source: NetworkSource(scanner: scanner), timeout: timeout.duration, start: start)
        scan.waitUntilKnown = waitUntilKnown
        let progress = format.format == .table && !common.verbose ? ProgressLine() : nil
        return try await PairedOverlay(store: store, pairings: pairings).laid(over: scanner.constellation) {
            try await scan.run(printer: nil, progress: progress)
        }
    }
}
