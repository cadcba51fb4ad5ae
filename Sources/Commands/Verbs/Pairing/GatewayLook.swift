internal import ArgumentParser
internal import Constellation
internal import DNSSD
internal import Discovery
internal import GatewayProtocol
internal import GatewayReports
internal import Logging
internal import Scanning

/// A look at the network for one gateway, which ends soon after that has answered.
struct GatewayLook: Sendable {
    /// The time for which others of the same name are waited for.
    private static let grace = Duration.milliseconds(400)

    private enum Event {
        case found
        case over
        case interrupted
    }

    let scanner: Scanner

    /// The most time that it takes.
    let timeout: Duration

    /// Looks.
    ///
    /// - Parameters:
    ///   - what: What is looked for, for people.
    ///   - isThere: Whether what is looked for is among the rows.
    /// - Returns: All there is at the end, whether it is among it or not.
    func run(
        for what: String,
        until isThere: @escaping @Sendable ([Gateway]) -> Bool
    ) async throws(CommandFailure) -> GatewayLookResult {
        let progress = ProgressLine()
        progress?.show("looking for \(what) …")
        let scanner = scanner
        let start = ContinuousClock.now
        let (event, rows) = await withTaskGroup(of: Event.self) { group in
            group.addTask {
                await scanner.run()
                return .over
            }
            group.addTask {
                for await _ in scanner.constellation.updates {
                    guard await isThere(scanner.constellation.gateways) else { continue }
                    try? await Task.sleep(for: Self.grace)
                    return .found
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
            let rows = await scanner.constellation.gateways
            group.cancelAll()
            return (first, rows)
        }
        progress?.clear()
        if event == .interrupted { throw CommandFailure(.cancelled, "cancelled; nothing was changed.") }
        return GatewayLookResult(rows: rows, scan: ScanResult(of: scanner.browser, elapsed: .now - start))
    }
}

/// The result of a look for one gateway.
struct GatewayLookResult: Sendable {
    /// The rows of the map.
    let rows: [Gateway]

    /// The state of the network.
    let scan: ScanResult

    /// The reason why what was looked for is not among the rows: the network's trouble, where that is one.
    ///
    /// - Parameters:
    ///   - absence: The sentence for when it is not there, and nothing else is wrong.
    ///   - timeout: The time that the look had.
    ///   - scope: The network.
    func failure(_ absence: String, timeout: TimeLimit, scope: ScanScope = .ofThisHost()) -> CommandFailure {
        let findings = Findings(rows: rows, services: scan.services)
        switch ScanVerdict(findings, scan, timeout: timeout, scope: scope) {
        case .failed(let failure) where failure.status != .nothingFound: return failure
        case .failed, .found: break
        }
        let trouble = scan.trouble.map { " This may not be all: \($0.message)" } ?? ""
        return CommandFailure(.nothingFound, absence + trouble)
    }
}

extension CommonOptions {
    /// A scanner with the backend that was chosen.
    func makeScanner(
        _ configuration: ScannerConfiguration,
        constellation: Constellation = Constellation(),
        logger: Logger?
    ) throws(CommandFailure) -> Scanner {
        let browser = try makeBrowser(
            types: ServiceType.gatewayTypes,
            interfaces: [],
            maximumServices: BrowserConfiguration.mostServices,
            logger: logger
        )
        return Scanner(configuration, browser: browser, constellation: constellation, logger: logger)
    }
}
