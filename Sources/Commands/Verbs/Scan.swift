internal import DNSSD
internal import Discovery

/// One look at the network, under one deadline.
struct Scan: Sendable {
    /// The time during which nothing new must have come before a scan is complete.
    static let quiet = Duration.seconds(1)

    /// The time that a daemon may be away before a scan stops waiting for it: a restart takes less.
    static let patience = Duration.seconds(1)

    private enum Event {
        case settled
        case interrupted
        case stopped
    }

    let browser: Browser
    let timeout: Duration

    /// Looks until all is known, the time is up, or the user has enough.
    ///
    /// - Parameter printer: Gets each service as soon as it is resolved.
    func run(printer: ServicePrinter? = nil) async throws -> ScanResult {
        let start = ContinuousClock.now
        let browser = browser
        let deadline = start + timeout
        return try await withThrowingTaskGroup(of: Event.self) { group in
            group.addTask {
                await browser.run()
                return .stopped
            }
            group.addTask {
                await Signals.waitForEnd()
                return .interrupted
            }
            group.addTask {
                await browser.settle(quiet: Self.quiet, patience: Self.patience, deadline: deadline)
                return .settled
            }
            if let printer {
                group.addTask {
                    for await change in browser.changes { try printer.take(change) }
                    return .stopped
                }
            }
            loop: while let event = try await group.next() {
                switch event {
                case .settled, .interrupted: break loop
                case .stopped: continue
                }
            }
            let result = ScanResult(
                services: browser.services,
                status: browser.condition.status,
                source: browser.source,
                warnings: browser.condition.warnings.map(\.message),
                losses: browser.losses,
                elapsed: .now - start
            )
            group.cancelAll()
            return result
        }
    }
}
