internal import DNSSD
internal import Discovery
internal import Reports
internal import Scanning

/// The network as a scanner sees it.
struct NetworkSource: WatchSource {
    /// The maximum duration of a first look that is not shown.
    static let settlingTimeout = Duration.seconds(3)

    /// The maximum duration of a first look that is shown: longer than the longest probe, so that nothing is said to be away
    /// while it is being asked.
    private static let lookTimeout = Duration.seconds(7)

    let scanner: GatewayScanner

    /// The topics that are shown.
    var topics = ConstellationTopics.all

    /// Indicates whether nothing is shown before the first look is over: for a watch that has shown the network before.
    var settlesFirst = false

    /// The recorder of the events of the scanner; `nil` if nothing is recorded.
    var recorder: Recorder?

    var name: String { "\(scanner.browser.source)" }

    func run(
        _ show: @escaping @Sendable (ConstellationUpdate, Timestamp) throws -> Void,
        looked: (@Sendable (Timestamp) throws -> Void)?
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let looked {
                group.addTask {
                    await scanner.look(
                        quiet: Scan.quiet,
                        availabilityTimeout: Scan.daemonTimeout,
                        until: .now + Self.lookTimeout
                    )
                    try looked(.now)
                    await Task.untilCancelled()
                }
            }
            group.addTask {
                if settlesFirst {
                    await scanner.settle(
                        quiet: Scan.quiet,
                        availabilityTimeout: Scan.daemonTimeout,
                        deadline: .now + Self.settlingTimeout
                    )
                }
                for await update in scanner.constellation.news(of: topics) { try show(update, .now) }
            }
            if let recorder {
                group.addTask { for await failure in recorder.failures { throw failure } }
            }
            group.addTask { await CrowdTide.follow(scanner.constellation) }
            group.addTask { try await scanner.run() }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }
}

/// The network as a scanner sees it, and what is paired.
struct OverlaidSource: WatchSource {
    let source: NetworkSource
    let overlay: PairedOverlay

    var name: String { source.name }

    func run(
        _ show: @escaping @Sendable (ConstellationUpdate, Timestamp) throws -> Void,
        looked: (@Sendable (Timestamp) throws -> Void)?
    ) async throws {
        try await overlay.laid(over: source.scanner.constellation) { try await source.run(show, looked: looked) }
    }
}
