internal import DNSSD
package import GatewayProtocol
package import Logging
package import Pairing
package import Reports
package import Scanning

/// Carries out the operations in this process: for an agent, with the store and the sessions that it has; for a verb, with the
/// store alone.
package struct InProcessRadar: Radar {
    /// Returns the store, as it is open.
    private let store: @Sendable () throws(RadarError) -> PairingStore

    /// Returns the history, as it is open.
    private let noticeStore: @Sendable () throws(RadarError) -> NoticeStore

    /// The readings of the store that nobody may wait for; `nil` where one waits as long as it takes.
    private let readings: StoreReadings?

    /// Returns the sessions that are kept; `nil` where none are.
    let sessions: @Sendable () -> Connections?

    /// Returns the request of this device that waits at a gateway.
    let requests: @Sendable (GatewayID?, [Endpoint]) -> WaitingRequest?

    let constellation: Constellation?
    let version: String
    let logger: Logger?

    /// Makes a carrier with a store.
    ///
    /// - Parameters:
    ///   - store: The store; `nil` if there is none.
    ///   - constellation: The map in which a gateway may be elsewhere than where it was last; `nil` where nobody looks for it.
    ///   - connections: The sessions; `nil` where none are kept.
    ///   - version: The version of the program, which gateways receive.
    package init(
        _ store: PairingStore?,
        _ constellation: Constellation? = nil,
        sessions connections: Connections? = nil,
        version: String,
        _ logger: Logger? = nil
    ) {
        self.store = { () throws(RadarError) in
            if let store { return store }
            throw RadarError(.unavailable, "there is no store of pairings")
        }
        noticeStore = { () throws(RadarError) in throw RadarError(.unavailable, "the history is not open") }
        readings = nil
        sessions = { connections }
        requests = { _, _ in nil }
        self.constellation = constellation
        self.version = version
        self.logger = logger
    }

    /// Makes a carrier with the history alone.
    package init(_ history: NoticeStore, version: String) {
        store = { () throws(RadarError) in throw RadarError(.unavailable, "the store of pairings is not open") }
        noticeStore = { () throws(RadarError) in history }
        readings = nil
        sessions = { nil }
        requests = { _, _ in nil }
        constellation = nil
        self.version = version
        logger = nil
    }

    fileprivate init(_ agent: Agent) {
        store = { () throws(RadarError) in
            if let store = agent.store { return store }
            throw RadarError(.unavailable, "the store of pairings is not open: \(agent.reason(of: "store"))")
        }
        noticeStore = { () throws(RadarError) in
            if let history = agent.history { return history }
            throw RadarError(.unavailable, "the history is not open: \(agent.reason(of: "notices"))")
        }
        readings = agent.storeReadings
        sessions = { agent.sessionsPart.connections }
        requests = { agent.openPairings.snapshot.pairings.request(at: $0, $1) }
        constellation = agent.constellation
        version = agent.configuration.version
        logger = nil
    }

    // MARK: The store

    /// The store, if it is open.
    var openStore: PairingStore? { try? store() }

    /// Reads the store.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (PairingStore) throws(StoreError) -> Value
    ) async throws(RadarError) -> Value {
        let store = try store()
        do throws(StoreError) {
            if let readings { return try await readings.read(store, body) }
            return try await store.perform(body)
        } catch {
            throw RadarError(error)
        }
    }

    /// Changes the store. Whoever asks for that waits until it is known what has become of it.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (PairingStore) throws(StoreError) -> Value
    ) async throws(RadarError) -> Value {
        let store = try store()
        do throws(StoreError) {
            return try await store.performToEnd(body)
        } catch {
            throw RadarError(error)
        }
    }

    /// Reads or changes the history.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (NoticeStore) throws(NoticeStoreError) -> Value
    ) async throws(RadarError) -> Value {
        let history = try noticeStore()
        do throws(NoticeStoreError) {
            return try await history.perform(body)
        } catch {
            throw RadarError(.unavailable, error.description)
        }
    }

    /// Returns all that is paired.
    package func pairings() async throws(RadarError) -> [StoredPairing] {
        try await read { store throws(StoreError) in try store.pairings() }
    }

    package func pairing(_ id: PairingID) async throws(RadarError) -> StoredPairing {
        let found = try await read { store throws(StoreError) in try store.pairing(id) }
        guard let found else { throw .noPairing }
        return found
    }

    /// Changes a pairing.
    ///
    /// - Parameter body: Changes it as it is by then; returns `false` if it has no such bot.
    private func update(
        _ id: PairingID,
        _ body: @escaping @Sendable (inout StoredPairing) -> Bool
    ) async throws(RadarError) -> PairingDocument {
        let (hasBot, changed) = try await write { store throws(StoreError) -> (Bool, StoredPairing?) in
            guard try store.pairing(id) != nil else { return (true, nil) }
            var hasBot = true
            try store.update(id) { hasBot = body(&$0) }
            return (hasBot, try store.pairing(id))
        }
        guard hasBot else { throw .noBot }
        guard let changed else { throw .noPairing }
        return PairingDocument(PairingReport(changed))
    }

    /// The coordinator that pairs and unpairs with the store.
    package var coordinator: PairingCoordinator {
        get throws(RadarError) { try store().pairingCoordinator(constellation, version: version, logger) }
    }

    // MARK: Switches

    package func connect(_ id: PairingID, _ isWanted: Bool) async throws(RadarError) -> PairingDocument {
        if isWanted {
            let pairing = try await pairing(id)
            guard !pairing.awaitsTrust else { throw RadarError(awaitingTrust: pairing) }
        }
        let document = try await update(id) {
            $0.connectsAutomatically = isWanted
            return true
        }
        // One that has refused this device is asked again, at once.
        if isWanted { await sessions()?.askAgain(id) }
        return document
    }

    package func archive(
        _ bot: BotID,
        of id: PairingID,
        _ isArchived: Bool
    ) async throws(RadarError) -> PairingDocument {
        try await update(bot, of: id) { $0.isArchived = isArchived }
    }

    package func accent(
        _ bot: BotID,
        of id: PairingID,
        _ color: String?
    ) async throws(RadarError) -> PairingDocument {
        let accent = color.flatMap(StoredBot.accentColor)
        guard (accent == nil) == (color == nil) else {
            throw RadarError(.invalid, "expected six hexadecimal digits for red, green and blue, found another colour")
        }
        return try await update(bot, of: id) { $0.accentColor = accent }
    }

    private func update(
        _ bot: BotID,
        of id: PairingID,
        _ body: @escaping @Sendable (inout StoredBot) -> Void
    ) async throws(RadarError) -> PairingDocument {
        try await update(id) { pairing in
            guard let index = pairing.bots.firstIndex(where: { $0.id == bot }) else { return false }
            body(&pairing.bots[index])
            return true
        }
    }
}

extension Agent {
    /// The operations, with the store and the sessions of this agent.
    package var radar: InProcessRadar { InProcessRadar(self) }

    /// Returns the reason why a part does not work.
    fileprivate func reason(of part: String) -> String {
        parts.first { $0.name == part }?.state.reason ?? "it is being opened"
    }
}
