internal import Agent
internal import Console
internal import Discovery
internal import GatewayProtocol
internal import Logging
internal import Pairing
internal import Reports
internal import Scanning

/// The sessions of a process and the scanner that locates their gateways, which share one map.
struct SessionKeeper: WatchSource {
    let store: PairingStore
    let scanner: GatewayScanner
    let logger: Logger?

    /// The tokens that were typed for gateways whose tokens are not stored.
    var typedTokens: [PairingID: Secret] = [:]

    /// Indicates whether nothing is shown before the first look is over: for a view that has shown the sessions before.
    var settlesFirst = false

    var name: String { "\(scanner.browser.source)" }

    /// Maintains the sessions until the task is cancelled.
    ///
    /// - Parameters:
    ///   - show: A closure that gets the updates of the sessions and of the conditions of backends.
    ///   - looked: Is not called: a session says itself whether its gateway is there.
    func run(
        _ show: @escaping @Sendable (ConstellationUpdate, Timestamp) throws -> Void,
        looked: (@Sendable (Timestamp) throws -> Void)?
    ) async throws {
        let version = CommandLineTool.version
        var configuration = ConnectionsConfiguration(clientVersion: version, isWatched: true)
        configuration.typedTokens = typedTokens
        let connections = Connections(
            store: store,
            constellation: scanner.constellation,
            configuration: configuration,
            logger: logger
        )
        let coordinator = store.pairingCoordinator(scanner.constellation, version: version, logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await scanner.run() }
            group.addTask { try await connections.run() }
            group.addTask {
                await coordinator.withdrawWhatIsSeen { Notes.note("\($0.label) knows now that it is unpaired.") }
            }
            group.addTask {
                if settlesFirst {
                    let deadline = ContinuousClock.now + NetworkSource.settlingTimeout
                    await scanner.look(quiet: Scan.quiet, availabilityTimeout: Scan.daemonTimeout, until: deadline)
                    await connections.settle(until: deadline)
                }
                for await update in scanner.constellation.news(of: [.sessions, .backends]) { try show(update, .now) }
            }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }
}
