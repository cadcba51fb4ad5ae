internal import Connections
internal import Constellation
internal import DNSSD
internal import Discovery
internal import GatewayProtocol
internal import GatewayReports
internal import Logging
internal import Pairing
internal import PairingStore
internal import Scanning

/// The sessions of a process and the scanner that locates their gateways, which share one map.
struct SessionKeeper: Sendable {
    /// The time after a failed withdrawal before it is tried again.
    private static let withdrawalRetryInterval = Duration.seconds(30)

    let store: PairingStore
    let scanner: Scanner
    let logger: Logger?

    /// Maintains the sessions until the user ends the command.
    ///
    /// - Parameter show: A closure that is called with each session that has changed in a way that is worth reporting.
    func runUntilEnd(_ show: @escaping @Sendable (SessionEntry) throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await Signals.waitForEnd() }
            group.addTask { await noteConditions() }
            group.addTask { try await run { entries, _ in for entry in entries { try show(entry) } } }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }

    /// Maintains the sessions until the task is cancelled.
    ///
    /// - Parameter show: A closure that is called after each event, with the sessions that have changed and with all
    ///   sessions.
    func run(_ show: @escaping @Sendable ([SessionEntry], SessionTableModel) throws -> Void) async throws {
        let connections = Connections(
            store: store,
            constellation: scanner.constellation,
            configuration: ConnectionsConfiguration(clientVersion: CommandLineTool.version, isWatched: true),
            logger: logger
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await scanner.run() }
            group.addTask { try await connections.run() }
            group.addTask { await withdrawWhatIsSeen() }
            group.addTask {
                var table = SessionTableModel()
                for await event in connections.events {
                    let changed = table.take(event, isSealed: await isSealed(at: event))
                    try show(changed, table)
                }
            }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }

    /// Reports on standard error the problems that keep the browser from seeing the network, until the task is
    /// cancelled.
    private func noteConditions() async {
        var messages = BackendMessages()
        let browser = scanner.browser
        for await condition in browser.conditions {
            for item in messages.take(status: condition.status, warnings: condition.warnings, source: browser.source) {
                switch item {
                case .warning(let text): Notes.warning(text)
                case .note(let text): Notes.note(text)
                }
            }
        }
        // Must not return earlier: the task group in which this runs ends with its first task.
        await Signals.waitForEnd()
    }

    /// Returns whether the secrets of the store cannot be opened. The key is looked for only when a session has failed
    /// on this device.
    private func isSealed(at event: ConnectionEvent) async -> Bool {
        let sessions: [SessionSnapshot] =
            switch event {
            case .snapshot(let sessions): sessions
            case .changed(let session): [session]
            case .removed: []
            }
        guard sessions.contains(where: { if case .failed = $0.state { true } else { false } }) else { return false }
        return (try? await store.perform { $0.keyProblem != nil }) ?? false
    }

    // MARK: Withdrawing what was unpaired while the gateway was away

    /// Withdraws ended pairings at their gateways as soon as these are seen again.
    private func withdrawWhatIsSeen() async {
        let coordinator = store.pairingCoordinator(scanner.constellation, logger)
        var tried: [String: ContinuousClock.Instant] = [:]
        for await update in scanner.constellation.updates {
            let rows: [Gateway] =
                switch update {
                case .snapshot(let snapshot): snapshot.gateways
                case .change(.found(let row), _): [row]
                case .change(.changed(let row, let aspects), _):
                    aspects.isSubset(of: [.latency, .bots, .name, .flags]) ? [] : [row]
                case .change(.lost, _), .change(.problem, _): []
                }
            let alive = rows.filter { $0.liveness == .answering }
            guard !alive.isEmpty else { continue }
            let found = try? await store.perform { store throws(StoreError) in try store.bin() }
            guard let items = found else { continue }
            for item in items where item.reason == .unpaired(withdrawnThere: false) {
                guard item.pairing.removingCommand == nil,
                    alive.contains(where: { Self.isGateway($0, of: item.pairing) })
                else { continue }
                if let last = tried[item.id], .now - last < Self.withdrawalRetryInterval { continue }
                tried[item.id] = .now
                let shown = alive.flatMap { item.pairing.placesOfItsCertificate(in: $0) }
                if case .withdrawn? = try? await coordinator.withdraw(item, at: shown) {
                    Notes.note("\(item.pairing.label) knows now that it is unpaired.")
                }
            }
        }
    }

    /// Indicates whether a row has an endpoint of a pairing, or claims to be its gateway. It has to prove that before
    /// any token is sent.
    private static func isGateway(_ row: Gateway, of pairing: StoredPairing) -> Bool {
        if let fingerprint = pairing.fingerprint, row.fingerprint == fingerprint { return true }
        if !pairing.placesOfItsCertificate(in: row).isEmpty { return true }
        return row.paths.contains { pairing.endpoints.contains($0.endpoint) }
    }
}

extension StoredPairing {
    /// Returns the endpoints of a row at which the gateway has presented the pinned certificate; none if no certificate is
    /// pinned.
    func placesOfItsCertificate(in row: Gateway) -> [Endpoint] {
        guard case .pinned(let pin) = trust else { return [] }
        return row.paths.compactMap { path in
            guard let identity = path.outcome?.identity, identity.leaf == pin,
                isPlace(path.endpoint, telling: identity.fingerprint)
            else { return nil }
            return path.endpoint
        }
    }
}
