internal import Connections
internal import Constellation
internal import Logging
internal import Pairing
internal import PairingStore
internal import Reports
internal import Scanning

/// The sessions of a process and the scanner that locates their gateways, which share one map.
struct SessionKeeper: Sendable {
    let store: PairingStore
    let scanner: Scanner
    let logger: Logger?

    /// Maintains the sessions until the user ends the command. Problems that keep the browser from seeing the network are
    /// reported on standard error.
    ///
    /// - Parameter show: A closure that is called with each session that has changed in a way that is worth reporting.
    func runUntilEnd(_ show: @escaping @Sendable (ShownSession) throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await Signals.waitForEnd() }
            group.addTask {
                try await run { updates in
                    var feed = SessionFeed()
                    var messages = BackendMessages()
                    for await update in updates {
                        for condition in update.backends { messages.take(condition).forEach(Notes.show) }
                        for session in feed.take(update) { try show(session) }
                    }
                }
            }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }

    /// Maintains the sessions until the task is cancelled or the reader ends.
    ///
    /// - Parameter read: The reader, which gets the updates of the sessions and of the conditions of backends.
    func run(_ read: @escaping @Sendable (ConstellationUpdates) async throws -> Void) async throws {
        let connections = Connections(
            store: store,
            constellation: scanner.constellation,
            configuration: ConnectionsConfiguration(clientVersion: CommandLineTool.version, isWatched: true),
            logger: logger
        )
        let coordinator = store.pairingCoordinator(scanner.constellation, logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await scanner.run() }
            group.addTask { try await connections.run() }
            group.addTask {
                await coordinator.withdrawWhatIsSeen { Notes.note("\($0.label) knows now that it is unpaired.") }
            }
            group.addTask { try await read(scanner.constellation.news(of: [.sessions, .backends])) }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }
}
