internal import ArgumentParser
internal import Console
internal import DNSSD
internal import Discovery
internal import Logging
internal import Reports
internal import Scanning

/// A scan of the network for one gateway, which ends when the gateway has answered and everything else that is present
/// has answered too, or failed to: whoever answers first may only use the name of another that is slower.
struct GatewaySearch: Sendable {
    /// The time without a new service after which nothing else is expected to be present.
    private static let quiet = Duration.seconds(1)

    /// The time for which a daemon that is not available is waited for before that.
    private static let daemonTimeout = Duration.seconds(1)

    private enum Event {
        case found
        case over
        case interrupted
    }

    let scanner: GatewayScanner

    /// The maximum duration of the scan.
    let timeout: Duration

    /// Scans until the gateway has been found and all others are decided, or the time is up.
    ///
    /// - Parameters:
    ///   - what: A description of the gateway, for people.
    ///   - isThere: A closure that returns whether the gateway is among the rows.
    /// - Returns: All rows at the end, whether the gateway is among them or not.
    func run(
        for what: String,
        until isThere: @escaping @Sendable ([Gateway]) -> Bool
    ) async throws(CommandFailure) -> GatewaySearchResult {
        let progress = ProgressLine()
        progress?.show("looking for \(what) …")
        let scanner = scanner
        let start = ContinuousClock.now
        let (event, found, source) = await withTaskGroup(of: Event.self) { group in
            group.addTask {
                // A search is made once, with a scanner of its own.
                try? await scanner.run()
                return .over
            }
            group.addTask { [timeout] in
                while !Task.isCancelled {
                    let reason = await scanner.settle(
                        quiet: Self.quiet,
                        availabilityTimeout: Self.daemonTimeout,
                        deadline: start + timeout
                    )
                    if await isThere(scanner.constellation.gateways) { return .found }
                    guard reason != .deadline else { return .over }
                    // Nothing of the name is present yet. When it comes, others may come with it.
                    for await _ in scanner.constellation.updates where await isThere(scanner.constellation.gateways) {
                        break
                    }
                }
                return .over
            }
            group.addTask { [timeout] in
                try? await Task.sleep(for: timeout)
                return .over
            }
            group.addTask {
                await Signals.waitForEnd()
                return .interrupted
            }
            let first = await group.next() ?? .over
            let found = await scanner.findings()
            // Now: a backend that stood in for another one has ended with the scan.
            let source = scanner.browser.source
            group.cancelAll()
            return (first, found, source)
        }
        progress?.clear()
        if event == .interrupted { throw CommandFailure(.cancelled, "cancelled; nothing was changed.") }
        let result = ScanResult(of: found, source: source, elapsed: .now - start)
        return GatewaySearchResult(rows: found.gateways, scan: result)
    }
}

/// The result of a scan for one gateway.
struct GatewaySearchResult: Sendable {
    /// The rows of the map.
    let rows: [Gateway]

    /// The services that were seen, and the state of the backend.
    let scan: ScanResult

    /// Returns the failure for a gateway that is not among the rows, which is a problem of the network if there is one.
    ///
    /// - Parameters:
    ///   - absence: The message if the gateway is not there and nothing else is wrong.
    ///   - timeout: The time limit of the scan.
    ///   - scope: The part of the network that was scanned.
    func failure(_ absence: String, timeout: TimeLimit, scope: ScanScope = .ofThisHost()) -> CommandFailure {
        let snapshot = NetworkSnapshot(rows: rows, services: scan.services)
        switch ScanVerdict(snapshot, scan, timeout: timeout, scope: scope) {
        case .failed(let failure) where failure.status != .nothingFound: return failure
        case .failed, .found: break
        }
        let trouble = scan.trouble.map { " This may not be all: \($0.message)" } ?? ""
        return CommandFailure(.nothingFound, absence + trouble)
    }
}

extension CommonOptions {
    /// Makes a scanner with the backend that was chosen.
    func makeScanner(
        _ configuration: ScannerConfiguration,
        constellation: Constellation = Constellation(),
        logger: Logger?
    ) throws(CommandFailure) -> GatewayScanner {
        let browser = try makeBrowser(
            types: [],
            interfaces: [],
            domains: WideAreaConfiguration(),
            maximumServices: BrowserConfiguration.mostServices,
            logger: logger
        )
        return GatewayScanner(configuration, browser: browser, constellation: constellation, logger: logger)
    }
}
