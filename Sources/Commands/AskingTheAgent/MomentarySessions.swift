internal import Agent
internal import Console
internal import Logging
internal import Pairing
internal import Scanning

/// Sessions with paired gateways for as long as a verb runs, beside those that other processes may have.
///
/// A Clawline provider ends one session for the other: with it, one is opened only where nobody has it.
struct MomentarySessions: Sendable {
    /// The time for which a gateway is sought only where it was last, before the network is looked at.
    private static let knownPlaces = Duration.seconds(1)

    let store: PairingStore

    /// The pairings with the gateways.
    let pairings: [StoredPairing]

    /// Finds gateways that have moved; `nil` to try only where they were last.
    var scanner: GatewayScanner?

    var logger: Logger?

    /// Runs a closure with the carrier of operations in this process.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (InProcessRadar) async throws -> Value
    ) async throws -> Value {
        var configuration = ConnectionsConfiguration(
            clientVersion: CommandLineTool.version,
            only: Set(pairings.map(\.id))
        )
        configuration.isBesideOthers = true
        let connections = Connections(
            store: store,
            constellation: scanner?.constellation ?? Constellation(),
            configuration: configuration,
            logger: logger
        )
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await connections.run()
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: Self.knownPlaces)
                // Without a network that can be scanned, gateways can still be where they were.
                if !Task.isCancelled { try? await scanner?.run() }
                return nil
            }
            group.addTask {
                await Signals.waitForEnd()
                if !Task.isCancelled { throw CommandFailure(.cancelled, "cancelled.") }
                return nil
            }
            group.addTask {
                try await body(InProcessRadar(store, sessions: connections, version: CommandLineTool.version))
            }
            defer { group.cancelAll() }
            for try await value in group {
                if let value { return value }
            }
            throw CommandFailure(.ourFault, "the sessions have ended by themselves")
        }
    }
}

extension AskingCommand {
    /// Runs operations that take sessions with gateways: the agent of this user has its own, and otherwise there are some for
    /// that moment.
    ///
    /// - Parameters:
    ///   - pairings: Returns the pairings with the gateways, where it is not the agent who knows them.
    ///   - body: Asks a carrier.
    func withSessions<Value: Sendable>(
        in store: PairingStore,
        with pairings: @Sendable (InProcessRadar) async throws(RadarError) -> [StoredPairing],
        _ body: @escaping @Sendable (any Radar) async throws -> Value
    ) async throws -> Value {
        let local = InProcessRadar(store, version: CommandLineTool.version)
        let radar = AgentOption.radar(else: local, asksAgent: isUsual && !agent.noAgent)
        if radar is AgentRadar { return try await body(radar) }
        let wanted = try await pairings(local)
        let scanner = try common.makeScanner(
            ScannerConfiguration(manualGateways: wanted.flatMap(\.manualGateways)),
            logger: common.logger
        )
        let sessions = MomentarySessions(store: store, pairings: wanted, scanner: scanner, logger: common.logger)
        return try await sessions.run { try await body($0) }
    }
}
