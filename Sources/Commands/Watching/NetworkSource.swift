internal import Constellation
internal import Discovery
internal import Reports
internal import Scanning

/// The network as a scanner sees it.
struct NetworkSource: WatchSource {
    let scanner: Scanner

    /// The topics that are shown.
    var topics = ConstellationTopics.all

    /// The recorder of the events of the scanner; `nil` if nothing is recorded.
    var recorder: Recorder?

    var name: String { "\(scanner.browser.source)" }

    func run(_ show: @escaping @Sendable (ConstellationUpdate, Timestamp) throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await update in scanner.constellation.news(of: topics) { try show(update, .now) } }
            if let recorder {
                group.addTask { for await failure in recorder.failures { throw failure } }
            }
            group.addTask { try await scanner.run() }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }
}
