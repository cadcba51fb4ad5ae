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

/// The sessions of a process, with the scanner that says where gateways are: each is told what the other learns.
struct SessionKeeper: Sendable {
    /// The time before a withdrawal that could not be told is tried again.
    private static let patience = Duration.seconds(30)

    let store: PairingStore
    let scanner: Scanner
    let logger: Logger?

    /// Keeps the sessions until the user has enough.
    ///
    /// - Parameter show: Is told each session of which there is something to tell.
    func runUntilEnd(_ show: @escaping @Sendable (SessionEntry) throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await Signals.waitForEnd() }
            group.addTask { await noteConditions() }
            group.addTask { try await run { entries, _ in for entry in entries { try show(entry) } } }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }

    /// Keeps the sessions until the task is cancelled.
    ///
    /// - Parameter show: Is told the news, and all there is.
    func run(_ show: @escaping @Sendable ([SessionEntry], SessionBoard) throws -> Void) async throws {
        let connections = Connections(
            store: store,
            constellation: scanner.constellation,
            configuration: ConnectionsConfiguration(clientVersion: CommandLineTool.version, isWatched: true),
            logger: logger
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await scanner.run() }
            group.addTask { await connections.run() }
            group.addTask { await withdrawWhatIsSeen() }
            group.addTask {
                var board = SessionBoard()
                for await event in connections.events {
                    await pass(event)
                    let news = board.take(event, pairings: pairings(of: event), isSealed: store.keyProblem != nil)
                    try show(news, board)
                }
            }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }

    /// Tells on standard error what keeps the network from being seen, until the task is cancelled.
    private func noteConditions() async {
        var news = BackendNews()
        let browser = scanner.browser
        for await condition in browser.conditions {
            for item in news.take(status: condition.status, warnings: condition.warnings, source: browser.source) {
                switch item {
                case .warning(let text): Notes.warning(text)
                case .note(let text): Notes.note(text)
                }
            }
        }
        // The group that this runs in ends with its first task.
        await Signals.waitForEnd()
    }

    /// Tells the scanner what sessions have learned.
    private func pass(_ event: ConnectionEvent) async {
        switch event {
        case .liveness(let endpoint, let word, let roundTrip):
            await scanner.noteSession(word, at: endpoint, roundTrip: roundTrip)
        case .pinned(let endpoint, let leaf):
            await scanner.pin(leaf, at: endpoint)
        case .snapshot, .changed, .removed:
            break
        }
    }

    /// The pairings that an event is about: of five hundred sessions each has some, and all pairings would be read each time. What
    /// cannot be read now is told with the next event.
    private func pairings(of event: ConnectionEvent) -> [StoredPairing] {
        switch event {
        case .snapshot: (try? store.pairings()) ?? []
        case .changed(let session): (try? store.pairing(session.pairing)).flatMap(\.self).map { [$0] } ?? []
        case .removed, .liveness, .pinned: []
        }
    }

    // MARK: What was unpaired while the gateway was away

    /// Tells gateways that this device was unpaired, as they are seen again.
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
            guard !alive.isEmpty, let items = try? store.bin() else { continue }
            for item in items where item.reason == .unpaired(withdrawnThere: false) {
                guard item.pairing.removingCommand == nil,
                    alive.contains(where: { Self.isGateway($0, of: item.pairing) })
                else { continue }
                if let last = tried[item.id], .now - last < Self.patience { continue }
                tried[item.id] = .now
                let shown = alive.flatMap { item.pairing.placesOfItsCertificate(in: $0) }
                if case .withdrawn? = try? await coordinator.withdraw(item, at: shown) {
                    Notes.note("\(item.pairing.label) knows now that it is unpaired.")
                }
            }
        }
    }

    /// Indicates whether a row is at a place of a pairing, or says that it is its gateway. What proves it comes before any token.
    private static func isGateway(_ row: Gateway, of pairing: StoredPairing) -> Bool {
        if let fingerprint = pairing.fingerprint, row.fingerprint == fingerprint { return true }
        if !pairing.placesOfItsCertificate(in: row).isEmpty { return true }
        return row.paths.contains { pairing.endpoints.contains($0.endpoint) }
    }
}

extension StoredPairing {
    /// The endpoints of a row that have shown the certificate which is pinned; none without one.
    func placesOfItsCertificate(in row: Gateway) -> [Endpoint] {
        guard case .pinned(let pin) = trust else { return [] }
        return row.paths.filter { $0.outcome?.identity?.leaf == pin }.map(\.endpoint)
    }
}
