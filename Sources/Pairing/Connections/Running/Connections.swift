internal import DNSSD
internal import GatewayProtocol
public import Logging
public import Scanning
public import ServiceLifecycle

/// The sessions with all paired gateways, one for each credential: kept up, and re-established when they break.
///
/// It reads the pairings from the store and the places of gateways from the constellation, and reports to both what it
/// learns. A token is sent only where the ``/GatewayProtocol/TrustPolicy`` of the pairing allows it, which is checked
/// before every send.
///
/// It is a `Service` of swift-service-lifecycle, prints nothing, and starts nothing before ``run()``.
///
/// ## Usage
///
///     let connections = Connections(store: store, constellation: scanner.constellation)
///     async let running: Void = connections.run()
///     for await event in connections.events {
///         if case .changed(let session) = event { print(session.gatewayName, session.state) }
///     }
public actor Connections: Service {
    let store: PairingStore
    let constellation: Constellation
    let configuration: ConnectionsConfiguration
    let dialer: any SessionDialer
    let environment: ConnectionsEnvironment
    let logger: Logger?
    let metrics = ConnectionsMetrics()

    /// The pairings as they were last read, and as facts for the map.
    var pairings = KnownPairings()

    /// The sessions by their credentials.
    var kept: [CredentialID: KeptSession] = [:]

    /// The rows of the map.
    var rows = RowIndex()

    /// The facts that the map has been told.
    var told = ReportedFacts()

    /// The readings of the store.
    var readings = ReadingOrder()

    /// The sessions that have been established since this was last stored.
    var notes = PendingNotes()

    /// Indicates whether somebody watches.
    var isWatched: Bool

    private let once = RunOnce(Connections.self)

    /// The work of the run that is still to be done.
    var work = RunQueues()

    /// The time at which something is due in a session.
    var schedule = SessionSchedule()

    /// The turns of the sessions with each gateway.
    var turns = SessionTurns()
    var generator: SessionGenerator

    /// The queues of the readers of events.
    private var queues: [WeakQueue] = []

    /// Creates the sessions of the paired gateways. Nothing is read or connected before ``run()``.
    ///
    /// - Parameters:
    ///   - store: The store of the pairings.
    ///   - constellation: The map, which a scanner or another discoverer of gateways feeds.
    ///   - clientVersion: The version of the program, which gateways receive.
    ///   - logger: Receives a warning when something fails, and debug messages.
    public init(
        store: PairingStore,
        constellation: Constellation,
        clientVersion: String = "1",
        logger: Logger? = nil
    ) {
        self.init(
            store: store,
            constellation: constellation,
            configuration: ConnectionsConfiguration(clientVersion: clientVersion),
            logger: logger
        )
    }

    /// Creates the sessions of the paired gateways with other settings than the usual ones.
    package init(
        store: PairingStore,
        constellation: Constellation,
        configuration: ConnectionsConfiguration,
        logger: Logger? = nil
    ) {
        let environment = ConnectionsEnvironment.system()
        self.init(
            store: store,
            constellation: constellation,
            configuration: configuration,
            logger: logger,
            dialer: GatewayDialer(clientVersion: configuration.clientVersion, wallTime: environment.wallTime),
            environment: environment
        )
    }

    init(
        store: PairingStore,
        constellation: Constellation,
        configuration: ConnectionsConfiguration = ConnectionsConfiguration(),
        logger: Logger? = nil,
        dialer: any SessionDialer,
        environment: ConnectionsEnvironment
    ) {
        self.store = store
        self.constellation = constellation
        self.configuration = configuration
        self.logger = logger
        self.dialer = dialer
        self.environment = environment
        self.isWatched = configuration.isWatched
        self.generator = SessionGenerator(seed: environment.seed)
    }

    // MARK: Running

    /// Keeps the sessions until the task is cancelled or the service group shuts down. Then closes every session, and
    /// releases every lock.
    ///
    /// - Throws: An error if it was called before.
    public func run() async throws {
        try once.begin()
        let streams = work.begin()
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { for await report in streams.reports { await report.make(to: self.constellation) } }
                group.addTask { await self.followMap() }
                group.addTask { await self.followStore() }
                group.addTask { await self.followNetwork() }
                group.addTask { await Self.run(streams.alarms) }
                for await job in streams.jobs { group.addTask { await job() } }
                // Connections say goodbye when they are cancelled.
                group.cancelAll()
            }
        }
        await end()
    }

    private static func run(_ jobs: AsyncStream<@Sendable () async -> Void>) async {
        await withDiscardingTaskGroup { group in
            for await job in jobs { group.addTask { await job() } }
            group.cancelAll()
        }
    }

    private func end() async {
        work.close()
        schedule.end()
        let events = told.withdrawal
        let ended = kept.keys.sorted().map { "\($0)" }
        for credential in Array(kept.keys) { noteLastAnswer(of: credential) }
        for session in kept.values {
            session.claim.lock?.release()
            metrics.noteChange(from: session.state, to: nil)
        }
        kept = [:]
        work.end()
        for reader in queues { reader.queue?.fallBehind() }
        // Events that were still queued have been applied before these: the task group waits for the queue to drain.
        for report in work.lateReports { await report.make(to: constellation) }
        await constellation.apply(events)
        await constellation.noteEnd(of: ended, .notKept)
        // What is still to be written is written, unless the store is kept by others.
        startStoringNotes()
        await store.settle(within: .seconds(1))
    }

    // MARK: What others see

    /// All sessions, in the order of their gateways' names.
    public var sessions: [SessionSnapshot] {
        kept.values
            .compactMap { session in pairings.pairing(of: session.credential).map(session.snapshot) }
            .sorted { ($0.gatewayName, $0.id) < ($1.gatewayName, $1.id) }
    }

    /// The sessions and their changes; see ``ConnectionEvents``.
    ///
    /// To show them beside gateways and bots, read the updates of the ``/Scanning/Constellation``, which have them in
    /// the same order as all else that is shown, in words. This sequence is for who acts on them.
    public nonisolated var events: some AsyncSequence<ConnectionEvent, Never> & Sendable { ConnectionEvents(self) }

    func snapshot(for queue: EventQueue) -> [SessionSnapshot] {
        queue.restart()
        if !queues.contains(where: { $0.queue === queue }) {
            queues.append(WeakQueue(queue: queue))
        }
        return sessions
    }

    /// Reports events to the map, in their order.
    func report(_ events: [BotMapEvent]) { report(.events(events)) }

    func report(_ report: MapReport) { work.tell(report) }

    /// Reports to the map the leaves that endpoints have to show now.
    func reportPins(at endpoints: [Endpoint]) {
        for endpoint in endpoints { report(.pin(told.pin(at: endpoint), endpoint)) }
    }

    func report(_ event: ConnectionEvent) {
        show(event)
        var hasGone = false
        for reader in queues {
            if let queue = reader.queue { queue.put(event) } else { hasGone = true }
        }
        if hasGone { queues.removeAll { $0.queue == nil } }
    }

    // MARK: Orders

    /// Connects to a gateway whenever possible from now on, and stores this choice. A session that was refused is tried
    /// again.
    public func connect(_ id: PairingID) async throws(StoreError) {
        try await store.perform { store throws(StoreError) in try store.update(id) { $0.connectsAutomatically = true } }
        await askAgain(id)
    }

    /// Asks a gateway again, at once, if it has refused this device: the user says that something has changed.
    package func askAgain(_ id: PairingID) async {
        await readStore()
        for credential in pairings.credentials(of: id) {
            begin(credential, after: .zero)
        }
    }

    /// Disconnects from a gateway, leaves it alone, and stores this choice.
    public func disconnect(_ id: PairingID) async throws(StoreError) {
        try await store.perform { store throws(StoreError) in try store.update(id) { $0.connectsAutomatically = false }
        }
        await readStore()
    }

    /// Sets whether somebody watches: if so, gateways are asked for a sign of life every 2 s, with at most 20 pings a
    /// second in all, else every 30 s.
    public func setWatched(_ isWatched: Bool) {
        self.isWatched = isWatched
        reportWatched()
    }

    func reportWatched() {
        for credential in Array(kept.keys) { handle(.watched(isWatched, among: kept.count), of: credential) }
    }
}

/// A report of the sessions or the store to the map.
enum MapReport: Sendable {
    case events([BotMapEvent])
    case pin(LeafFingerprint?, Endpoint)
    case session(ShownSession)
    case lostSession(CredentialID)

    func make(to constellation: Constellation) async {
        switch self {
        case .events(let events): await constellation.apply(events)
        case .pin(let leaf, let endpoint): await constellation.pin(leaf, at: endpoint)
        case .session(let session): await constellation.note(session)
        case .lostSession(let credential): await constellation.noteEnd(of: ["\(credential)"], .unpaired)
        }
    }
}

/// A reader's queue, held weakly: it is gone when the reader's iterator is.
private struct WeakQueue {
    weak var queue: EventQueue?
}
