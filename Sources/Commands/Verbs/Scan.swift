internal import Console
internal import Discovery
internal import Reports
internal import Scanning

/// One scan of the network with one deadline, for services and, if the scanner probes, for the gateways behind them.
struct Scan: Sendable {
    /// The time without a new finding after which a scan is complete.
    static let quiet = Duration.seconds(1)

    /// The time for which a scan waits for a daemon that is not available: a restart takes less.
    static let daemonTimeout = Duration.seconds(1)

    /// The minimum time between two updates of the progress line.
    private static let frameTime = Duration.milliseconds(100)

    private enum Event {
        case settled
        case interrupted
        case stopped
    }

    let source: NetworkSource
    let timeout: Duration

    /// The time at which the scan began, which includes name resolution before it.
    let start: ContinuousClock.Instant

    /// Waits until what is looked for is known, if that may be before everything is.
    var waitUntilKnown: (@Sendable (Constellation) async -> Void)?

    /// Scans until everything is known, the time is up, or the user interrupts.
    ///
    /// - Parameters:
    ///   - printer: The printer that gets each update at once.
    ///   - progress: The line that shows the progress.
    /// - Returns: The findings, without rows if the source shows none, and the result of the scan for
    ///   services.
    func run(printer: (any ScanPrinter)?, progress: ProgressLine?) async throws -> (NetworkSnapshot, ScanResult) {
        let scanner = source.scanner
        let deadline = start + timeout
        return try await withThrowingTaskGroup(of: Event.self) { group in
            defer { progress?.clear() }
            group.addTask {
                if let printer {
                    try await source.run { input, _ in try printer.take(input) }
                } else {
                    try await scanner.run()
                }
                return .stopped
            }
            group.addTask {
                await Signals.waitForEnd()
                return .interrupted
            }
            group.addTask {
                await scanner.settle(quiet: Self.quiet, availabilityTimeout: Self.daemonTimeout, deadline: deadline)
                return .settled
            }
            if let waitUntilKnown {
                group.addTask {
                    await waitUntilKnown(scanner.constellation)
                    return .settled
                }
            }
            if let progress {
                group.addTask {
                    for await present in scanner.progresses {
                        guard !Task.isCancelled else { break }
                        progress.show("\(present.text) …")
                        try? await Task.sleep(for: Self.frameTime)
                    }
                    return .stopped
                }
            }
            loop: while let event = try await group.next() {
                switch event {
                case .settled, .interrupted: break loop
                case .stopped: continue
                }
            }
            let found = await scanner.findings()
            let rows = source.topics.contains(.gateways) ? found.gateways : []
            let result = ScanResult(of: found, source: scanner.browser.source, elapsed: .now - start)
            group.cancelAll()
            return (NetworkSnapshot(rows: rows, services: found.services), result)
        }
    }
}
