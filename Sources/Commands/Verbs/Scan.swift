internal import Constellation
internal import DNSSD
internal import Discovery
internal import GatewayReports
internal import Scanning

/// One look at the network under one deadline: what is advertised, and unless the scanner probes nobody, what it is.
struct Scan: Sendable {
    /// The time during which nothing new must have come before a scan is complete.
    private static let quiet = Duration.seconds(1)

    /// The time that a daemon may be away before a scan stops waiting for it: a restart takes less.
    private static let patience = Duration.seconds(1)

    /// The shortest time between two lines of progress.
    private static let frameTime = Duration.milliseconds(100)

    private enum Event {
        case settled
        case interrupted
        case stopped
    }

    let source: NetworkSource
    let timeout: Duration

    /// The time at which the scan began: looking names up is part of it.
    let start: ContinuousClock.Instant

    /// Looks until all is known, the time is up, or the user has enough.
    ///
    /// - Parameters:
    ///   - printer: Gets what is learned as soon as it is.
    ///   - progress: Shows how far it has come.
    /// - Returns: What was found, without rows where the source reads none, and how the looking went.
    func run(printer: (any ScanPrinter)?, progress: ProgressLine?) async throws -> (Findings, ScanResult) {
        let scanner = source.scanner
        let deadline = start + timeout
        return try await withThrowingTaskGroup(of: Event.self) { group in
            defer { progress?.clear() }
            group.addTask {
                if let printer {
                    try await source.run { input, _ in try printer.take(input) }
                } else {
                    await scanner.run()
                }
                return .stopped
            }
            group.addTask {
                await Signals.waitForEnd()
                return .interrupted
            }
            group.addTask {
                await scanner.settle(quiet: Self.quiet, patience: Self.patience, deadline: deadline)
                return .settled
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
            let result = ScanResult(of: scanner.browser, elapsed: .now - start)
            let findings = Findings(
                rows: source.readsMap ? await scanner.constellation.gateways : [],
                services: result.services
            )
            group.cancelAll()
            return (findings, result)
        }
    }
}
