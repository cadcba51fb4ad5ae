public import Constellation
public import DNSSD
internal import EventLoops
internal import GatewayProtocol
public import Logging
internal import PairedFacts
public import PairingStore
public import ServiceLifecycle

/// The sessions with all paired gateways, one for each credential: kept up, and re-established when they break.
///
/// It reads the pairings from the store and the places of gateways from the constellation, and reports to both what it
/// learns. A token is sent only where the ``/PairingStore/TrustPolicy`` of the pairing allows it, which is checked
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

    /// The pairings as they were last read.
    var pairings: [PairingID: StoredPairing] = [:]

    /// The sessions by their credentials.
    var kept: [CredentialID: KeptSession] = [:]
    var pairingOf: [CredentialID: PairingID] = [:]

    /// The pairings as facts for the map, which knows their rows there.
    var paired = PairedGateways()

    /// The rows of the map.
    var rows = RowIndex()

    /// The leaves with which endpoints have proved to be paired gateways, as reported to the map.
    var pins: [Endpoint: LeafFingerprint] = [:]

    /// Indicates whether the store is to be read again, since it could not be read.
    var isReadPending = false

    /// The number of the reading of the store that was begun last, and of the one that was taken last.
    var lastReading = 0
    var lastTaken = 0

    /// The sessions that have been established since this was last stored.
    var notes: [PairingID: ConnectionNote] = [:]

    /// Indicates whether ``notes`` are being stored.
    var isStoringNotes = false

    /// The state of each bot that was last reported to the map.
    var botStates: [BotKey: BotState] = [:]

    /// The liveness of each endpoint as each of its sessions sees it. The best of them is reported.
    var sessionLiveness: [Endpoint: [CredentialID: Liveness]] = [:]

    /// Indicates whether somebody watches.
    var isWatched: Bool

    private let once = RunOnce(Connections.self)

    /// Indicates whether ``run()`` has ended.
    private(set) var hasEnded = false

    /// The queue of tasks to run; `nil` while ``run()`` does not run.
    var jobs: AsyncStream<@Sendable () async -> Void>.Continuation?

    /// The queue of tasks that wait for a time. They have a task group of their own, since a group takes long to find
    /// an ended task among many.
    var alarms: AsyncStream<@Sendable () async -> Void>.Continuation?

    /// The reports to the map that wait, in their order.
    private var mapReports: AsyncStream<MapReport>.Continuation?

    /// The reports that came when the run was ending already.
    private var lateReports: [MapReport] = []

    /// The times at which something is due in a session.
    var deadlines: [CredentialID: ContinuousClock.Instant] = [:]

    /// The credentials whose sessions wait for the next attempt.
    var waiting: Set<CredentialID> = []

    /// The time of the next look at the clock.
    var scheduled: ContinuousClock.Instant?

    /// Indicates whether due events are being handled: the next look at the clock is scheduled after all of them.
    var isLookingAtClock = false
    var sleepDetector = SleepDetector()
    var spreading = WakeUpSpreading()

    /// The turns of the sessions with each gateway.
    var turns = SessionTurns()
    var generator: SessionGenerator
    private var queues: [WeakQueue] = []

    /// Those who wait until a task was run; see ``pass()``.
    var passes: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastPass = 0

    /// Creates the sessions of the paired gateways. Nothing is read or connected before ``run()``.
    ///
    /// - Parameters:
    ///   - store: The store of the pairings.
    ///   - constellation: The map, which a scanner or another discoverer of gateways feeds.
    ///   - configuration: The settings.
    ///   - logger: Receives a warning when something fails, and debug messages.
    public init(
        store: PairingStore,
        constellation: Constellation,
        configuration: ConnectionsConfiguration = ConnectionsConfiguration(),
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
    /// - Throws: ``/DNSSD/AlreadyRunError`` when it was called before.
    public func run() async throws(AlreadyRunError) {
        try once.begin()
        let (work, jobs) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
        let (times, alarms) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
        let (facts, mapReports) = AsyncStream.makeStream(of: MapReport.self)
        self.jobs = jobs
        self.alarms = alarms
        self.mapReports = mapReports
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { for await report in facts { await report.make(to: self.constellation) } }
                group.addTask { await self.followMap() }
                group.addTask { await self.followStore() }
                group.addTask { await self.followNetwork() }
                group.addTask { await Self.run(times) }
                for await job in work { group.addTask { await job() } }
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
        jobs?.finish()
        alarms?.finish()
        mapReports?.finish()
        jobs = nil
        alarms = nil
        mapReports = nil
        scheduled = nil
        for pass in passes.values { pass.finish() }
        var events: [BotMapEvent] = []
        for endpoint in sessionLiveness.keys {
            events.append(.sessionLiveness(endpoint, nil))
        }
        for (key, state) in botStates { events += state.steps(to: .paired).map { .stateChanged(key, $0) } }
        let ended = kept.keys.sorted().map { "\($0)" }
        for credential in Array(kept.keys) { noteLastAnswer(of: credential) }
        for session in kept.values {
            session.lock?.release()
            metrics.noteChange(from: session.state, to: nil)
        }
        kept = [:]
        hasEnded = true
        for reader in queues { reader.queue?.fallBehind() }
        // Events that were still queued have been applied before these: the task group waits for the queue to drain.
        for report in lateReports { await report.make(to: constellation) }
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
            .compactMap { session in pairingOf[session.credential].flatMap { pairings[$0] }.map(session.snapshot) }
            .sorted { ($0.gatewayName, $0.id) < ($1.gatewayName, $1.id) }
    }

    /// The sessions and their changes; see ``ConnectionEvents``.
    public nonisolated var events: ConnectionEvents { ConnectionEvents(self) }

    func snapshot(for queue: EventQueue) -> [SessionSnapshot] {
        queue.restart()
        if !queues.contains(where: { $0.queue === queue }) {
            queues.append(WeakQueue(queue: queue))
        }
        return sessions
    }

    /// Reports events to the map, in their order.
    func report(_ events: [BotMapEvent]) { report(.events(events)) }

    func report(_ report: MapReport) {
        // Nobody takes them from the queue any more once the run is cancelled.
        if case .terminated? = mapReports?.yield(report) { lateReports.append(report) }
    }

    /// Reports to the map the leaf that an endpoint has to show, if that has changed.
    func report(_ leaf: LeafFingerprint?, at endpoint: Endpoint) {
        guard pins[endpoint] != leaf else { return }
        pins[endpoint] = leaf
        report(.pin(leaf, endpoint))
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
        await readStore()
        for credential in credentials(of: id) {
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

    func credentials(of id: PairingID) -> [CredentialID] {
        pairingOf.filter { $0.value == id }.keys.sorted()
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
