internal import Constellation
internal import DNSSD
internal import Discovery
internal import GatewayReports
internal import Scanning

/// The network as a scanner sees it: its map, and beside that every change of a service with the reason for a loss, which a map
/// of gateways does not have. A row has the services that lead to its gateway; a list of services has all of them.
struct NetworkSource: WatchSource {
    let scanner: Scanner

    /// Indicates whether the map is read, and not the services alone.
    var readsMap = true

    /// Writes down what the scanner learns, if that is wanted.
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
            group.addTask { await scanner.run() }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }
}
