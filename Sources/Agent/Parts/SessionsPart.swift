internal import Discovery
internal import Logging
internal import Pairing
internal import Scanning

/// The part that keeps the sessions with paired gateways.
final class SessionsPart: Sendable {
    private let configuration: AgentConfiguration
    private let constellation: Constellation
    private let store: StorePart
    private let logger: Logger?
    private let running = Broadcast<Connections?>(nil)
    private let watchers = Watchers()

    init(_ configuration: AgentConfiguration, _ constellation: Constellation, _ store: StorePart, _ logger: Logger?) {
        self.configuration = configuration
        self.constellation = constellation
        self.store = store
        self.logger = logger
    }

    /// The sessions; `nil` while none are kept.
    var connections: Connections? { running.value }

    /// Waits until sessions are kept.
    ///
    /// - Parameter deadline: The latest time at which to return; `nil` to wait until they are.
    /// - Throws: ``/Pairing/SessionEnd`` if none are by then, or never will be; `CancellationError`.
    func connections(until deadline: ContinuousClock.Instant?) async throws -> Connections {
        let found = try await withThrowingTaskGroup(of: Connections?.self) { group in
            group.addTask { [running] in
                for await connections in running.stream(limit: 1) { if let connections { return connections } }
                try Task.checkCancellation()
                throw SessionEnd.ofRun
            }
            if let deadline {
                group.addTask {
                    try await Task.sleep(until: deadline, clock: .continuous)
                    return nil
                }
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        guard let found else {
            throw SessionEnd(.lost, "expected sessions that are kept by then, found none: the store is not open yet")
        }
        return found
    }

    /// Ends the wait for sessions, because there will be none.
    func finish() { running.finish() }

    /// Takes in that more or fewer watch the sessions.
    func changeWatchers(by difference: Int) async {
        watchers.change(by: difference)
        await watchers.tell { await connections?.setWatched($0) }
    }

    /// Keeps sessions until the task is cancelled, or until the store is not that which they were read from any more.
    func run(_ reporter: PartReporter) async throws {
        reporter.isImpaired(PartReporter.waitsForStore)
        for await opened in store.stores {
            guard let opened else { continue }
            return try await keep(opened, reporter)
        }
    }

    private func keep(_ opened: PairingStore, _ reporter: PartReporter) async throws {
        let connections = Connections(
            store: opened,
            constellation: constellation,
            configuration: ConnectionsConfiguration(
                clientVersion: configuration.version,
                isWatched: watchers.areThere
            ),
            logger: logger
        )
        let coordinator = opened.pairingCoordinator(constellation, version: configuration.version, logger)
        running.send(connections)
        defer { running.send(nil) }
        await watchers.tell { await connections.setWatched($0) }
        reporter.works()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await connections.run() }
            group.addTask { [logger] in
                await coordinator.withdrawWhatIsSeen { logger?.notice("\($0.name) knows now that it is unpaired.") }
            }
            group.addTask { [logger] in await PairingNews.log(opened, to: logger) }
            group.addTask { [store] in
                for await present in store.stores where present !== opened {
                    throw PartEnd(description: "the store of pairings was closed")
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
