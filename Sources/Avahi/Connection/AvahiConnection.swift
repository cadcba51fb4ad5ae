internal import CAvahiClient
internal import CAvahiCommon
internal import DNSSD
internal import Glibc
internal import HostSystem
internal import Logging

/// The actor that owns every Avahi object. It runs on the thread of Avahi's poll loop.
///
/// It keeps a first client, which holds service browsers and entry groups (so that Avahi can recognize the services
/// that we publish). Sessions open further clients as they need them, since each holds a limited number of objects.
/// Callbacks only queue their events; these are handled in turns, outside any C call, together with all that have
/// arrived by then.
actor AvahiConnection {
    /// A function that opens a client with this number. It blocks.
    typealias MakeClient = @Sendable (Int, isolated AvahiConnection) throws(AvahiError) -> BusClient

    /// A message that a callback has left in the inbox.
    private enum Message {
        case object(ObjectEvent, from: ObjectID, of: SessionID)
        case client(Int, DaemonState)
    }

    nonisolated let loop: PollLoop

    nonisolated let clock: any MonotonicClock

    /// The sockets of all clients.
    nonisolated let sockets = BusSockets()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let configuration: AvahiConfiguration

    /// The logger for what happens between the sessions and the daemon.
    nonisolated let logger: Logger

    private var machine = ConnectionStateMachine()
    private var sessions: [SessionID: any AvahiSession] = [:]
    private var lastSession = 0

    /// The client of all sessions; `nil` while there is no bus.
    private(set) var client: BusClient?

    private var lastClient = 0

    /// The value of `sockets.shutDowns` when the first client was made: a higher value since then means that we gave
    /// the connection up.
    private var shutDowns = 0

    private var inbox: [Message] = []
    private var isTurnScheduled = false

    private let makeClient: MakeClient

    /// Makes a connection, and the thread it runs on. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - clock: The clock. When a test sets it, the connection notices at its next turn.
    ///   - makeClient: Opens clients; for tests, one that needs no bus.
    /// - Throws: An error when the system has no thread or descriptor left.
    init(
        configuration: AvahiConfiguration,
        logger: Logger,
        clock: any MonotonicClock = ContinuousClock(),
        makeClient: @escaping MakeClient = { id, connection throws(AvahiError) in
            try BusClient(id: id, loop: connection.loop, sockets: connection.sockets, connection: connection)
        }
    ) throws(SystemError) {
        self.configuration = configuration
        self.logger = logger
        self.clock = clock
        self.makeClient = makeClient
        self.loop = try PollLoop(name: "avahi")
        // By default libdbus makes the whole process ignore SIGPIPE, which is not for us to decide.
        dbus_connection_set_change_sigpipe(0)
        loop.timer.onFire { [weak self] in
            self?.assumeIsolated { $0.turn() }
        }
    }

    isolated deinit {
        client?.free()
    }

    // MARK: Sessions

    /// Begins a session. The first one opens the connection.
    func begin(
        _ make: @Sendable (SessionID, AvahiConfiguration, ContinuousClock.Instant) -> sending any AvahiSession
    )
        -> SessionID
    {
        lastSession += 1
        let id = SessionID(rawValue: lastSession)
        let session = make(id, configuration, clock.now)
        sessions[id] = session
        switch machine.condition {
        case .starting: break
        case .up, .unavailable: session.daemonChanged(to: machine.condition, on: self)
        }
        perform(machine.start())
        scheduleTurn()
        return id
    }

    /// Ends a session. The last one closes the connection.
    func end(_ id: SessionID) {
        guard let session = sessions.removeValue(forKey: id) else { return }
        session.end(on: self)
        if sessions.isEmpty {
            perform(machine.stop())
            inbox = []
        }
        updateTimer()
    }

    /// Calls `body` with a session, if it has not ended.
    func with<Session: AvahiSession>(
        _ id: SessionID,
        as type: Session.Type,
        _ body: @Sendable (Session, isolated AvahiConnection) -> Void
    ) {
        guard let session = sessions[id] as? Session else { return }
        body(session, self)
        scheduleTurn()
    }

    /// Calls `body` with the present condition of the daemon. No other condition is reported until `body` returns.
    func withCondition(_ body: @Sendable (DaemonCondition) -> Void) {
        body(machine.condition)
    }

    /// The sessions, bus connections and objects that are held now.
    var holdings: AvahiHoldings {
        var holdings = AvahiHoldings(sessions: sessions.count, clients: client == nil ? 0 : 1)
        for session in sessions.values {
            holdings.clients += session.clientCount
            holdings.objects += session.objectCount
        }
        return holdings
    }

    // MARK: Clients

    /// Opens a further client. Blocks.
    func openClient() throws(AvahiError) -> BusClient {
        lastClient += 1
        logger.debug("opening bus connection \(lastClient)")
        return try makeClient(lastClient, self)
    }

    /// Handles the failure of a client, or of a call through one: everything starts again.
    func clientFailed(_ error: AvahiError) {
        let reason: BackendError =
            sockets.shutDowns == shutDowns ? BackendError(connecting: error) : .daemonNotAnswering
        perform(machine.failed(reason, now: clock.now))
    }

    private func open() {
        shutDowns = sockets.shutDowns
        logger.debug("connecting to avahi-daemon")
        do throws(AvahiError) {
            let client = try openClient()
            if sockets.shutDowns != shutDowns {
                // The call was cut off; the client that it returned is not connected to anything.
                client.free()
                throw .disconnected
            }
            self.client = client
            perform(machine.changed(to: client.state, now: clock.now))
        } catch {
            clientFailed(error)
        }
    }

    private func close() {
        for session in sessions.values { session.daemonChanged(to: .starting, on: self) }
        client?.free()
        client = nil
    }

    // MARK: Callbacks

    /// Queues the event of an object's callback. Called from C.
    func receive(_ event: ObjectEvent, from object: ObjectID, of session: SessionID) {
        inbox.append(.object(event, from: object, of: session))
        scheduleTurn()
    }

    /// Queues the new state from a client's callback. Called from C.
    func clientChanged(_ client: Int, to state: DaemonState) {
        inbox.append(.client(client, state))
        scheduleTurn()
    }

    // MARK: Turns

    /// Schedules a turn, which handles what waits: not at once, since this may be inside a C call.
    func scheduleTurn() {
        guard !isTurnScheduled else { return }
        isTurnScheduled = true
        loop.later { [weak self] in
            self?.assumeIsolated { connection in
                connection.isTurnScheduled = false
                connection.turn()
            }
        }
    }

    private func turn() {
        let messages = inbox
        inbox = []
        for message in messages {
            switch message {
            case .object(let event, let object, let session):
                sessions[session]?.receive(event, from: object, on: self)
            case .client(let id, .failed):
                // A client that has been freed can have left a message behind.
                guard isCurrent(id) else { break }
                clientFailed(id == client?.id ? client?.lastError ?? .disconnected : .disconnected)
            case .client(let id, let state):
                guard id == client?.id else { break }
                perform(machine.changed(to: state, now: clock.now))
            }
        }
        let now = clock.now
        perform(machine.tick(now: now))
        var isMoreWaiting = false
        for session in sessions.values {
            session.tick(now: now, on: self)
            if session.work(on: self) { isMoreWaiting = true }
        }
        if isMoreWaiting { scheduleTurn() }
        updateTimer()
    }

    /// Returns whether a client was opened since the last `close()`: earlier clients have smaller numbers than the
    /// present first client.
    private func isCurrent(_ id: Int) -> Bool {
        client.map { id >= $0.id } ?? false
    }

    private func perform(_ actions: [ConnectionStateMachine.Action]) {
        for action in actions {
            switch action {
            case .open: open()
            case .close: close()
            case .report(let condition):
                logger.debug("avahi-daemon: \(condition.status)")
                for session in sessions.values { session.daemonChanged(to: condition, on: self) }
            }
        }
    }

    private func updateTimer() {
        var deadline = machine.deadline
        for session in sessions.values {
            guard let next = session.deadline else { continue }
            deadline = deadline.map { min($0, next) } ?? next
        }
        loop.timer.set(after: deadline.map { $0 - clock.now })
    }
}
