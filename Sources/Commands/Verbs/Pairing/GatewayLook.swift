internal import ArgumentParser
internal import Constellation
internal import DNSSD
internal import Discovery
internal import GatewayProtocol
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
    /// - Returns: The rows of the map at the end, whether it is among them or not.
    func rows(
        for what: String,
        until isThere: @escaping @Sendable ([Gateway]) -> Bool
    ) async throws(CommandFailure) -> [Gateway] {
        let progress = ProgressLine()
        progress?.show("looking for \(what) …")
        let scanner = scanner
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
        return rows
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
