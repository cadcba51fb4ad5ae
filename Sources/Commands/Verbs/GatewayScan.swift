internal import Constellation
internal import DNSSD
internal import Discovery
internal import GatewayReports
internal import Scanning

/// One look at the network under one deadline, in which everything that is found is asked what it is.
struct GatewayScan: Sendable {
    private enum Event {
        case settled
        case interrupted
        case stopped
    }

    /// The shortest time between two lines of progress.
    private static let frameTime = Duration.milliseconds(100)

    let scanner: Scanner
    let timeout: Duration

    /// The time at which the scan began: looking names up is part of it.
    let start: ContinuousClock.Instant

    /// Looks until all is known, the time is up, or the user has enough.
    ///
    /// - Parameters:
    ///   - printer: Gets what is learned as soon as it is.
    ///   - progress: Shows how far it has come.
    func run(printer: FindingPrinter?, progress: ProgressLine?) async throws -> (Findings, ScanResult) {
        let browser = scanner.browser
        let deadline = start + timeout
        return try await withThrowingTaskGroup(of: Event.self) { group in
            defer { progress?.clear() }
            group.addTask {
                await scanner.run()
                return .stopped
            }
            group.addTask {
                await Signals.waitForEnd()
                return .interrupted
            }
            group.addTask {
                await scanner.settle(quiet: Scan.quiet, patience: Scan.patience, deadline: deadline)
                return .settled
            }
            if let printer {
                group.addTask {
                    for await change in browser.changes { try printer.take(change) }
                    return .stopped
                }
                group.addTask {
                    for await update in scanner.constellation.updates { try printer.take(update) }
                    return .stopped
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
            let findings = Findings(rows: await scanner.constellation.gateways, services: browser.services)
            let result = ScanResult(
                services: findings.services,
                status: browser.condition.status,
                source: browser.source,
                warnings: browser.condition.warnings.map(\.message),
                losses: browser.losses,
                elapsed: .now - start
            )
            group.cancelAll()
            return (findings, result)
        }
    }
}
