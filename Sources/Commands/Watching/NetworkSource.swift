internal import Constellation
internal import DNSSD
internal import Discovery
internal import GatewayReports
internal import Scanning

/// The network as a scanner sees it: the updates of its map, and in addition every change of a service.
///
/// The map of gateways lacks the reason why a service was lost, and its rows have only the services that lead to them.
struct NetworkSource: WatchSource {
    let scanner: Scanner

    /// Indicates whether the map is read in addition to the services.
    var readsMap = true

    /// The recorder of the events of the scanner; `nil` if nothing is recorded.
    var recorder: Recorder?

    var name: String { "\(scanner.browser.source)" }

    func run(_ show: @escaping @Sendable (WatchInput, Timestamp) throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await change in scanner.browser.changes { try show(.service(change), .now) } }
            if readsMap {
                group.addTask { for await update in scanner.constellation.updates { try show(.map(update), .now) } }
            }
            group.addTask {
                for await condition in scanner.browser.conditions { try show(.condition(condition), .now) }
            }
            if let recorder {
                group.addTask { for await failure in recorder.failures { throw failure } }
            }
            group.addTask { try await scanner.run() }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }
}
