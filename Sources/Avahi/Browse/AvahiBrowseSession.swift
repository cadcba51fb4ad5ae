internal import CAvahiClient
internal import DNSSD
internal import HostSystem
internal import Logging

/// Runs a ``AvahiBrowseStateMachine``: makes and frees the objects that it asks for, and reports its events.
///
/// Service browsers live in the connection's first client. Record browsers and resolvers, of which there are many, live
/// in clients of the session's own; each of these holds a limited number of objects, and is freed as a whole.
final class AvahiBrowseSession: AvahiSession {
    private let id: SessionID
    private let configuration: AvahiConfiguration
    private let report: @Sendable ([BrowseEvent]) -> Void
    private var machine: AvahiBrowseStateMachine

    /// The actions that are still to be carried out.
    private var queue = StartQueue()

    /// The objects that have been made, each with the client that holds it.
    private var objects: [ObjectID: (object: AvahiObject, client: BusClient)] = [:]

    /// The clients that hold record browsers.
    private var clients: [BusClient] = []

    /// The resolvers that have not answered yet.
    private var resolving: Set<ObjectID> = []

    private var isUp = false

    /// Indicates whether the session has tried to open its first client for records since the daemon came.
    private var hasOpenedEarly = false

    /// The interfaces as they are in this turn; `nil` until they are needed.
    private var interfaces: InterfaceTable?

    /// The activity that was last reported.
    private var activity = BackendActivity.idle

    /// The rate at which watches on records are started, since each makes the daemon send a query. On a small network
    /// they are started at once; on a large one their queries must not hold up those that look for services.
    private var watchRate: TokenBucket

    /// The number of resolvers that may wait for an answer. On a large network, all of them at once would bring more
    /// responses than the daemon's socket holds, and the responses about further services would be lost with them.
    private static let resolversAtOnce = 128

    /// The maximum number of calls in one turn: each takes 0.2 to 0.3 ms, and events from the daemon wait meanwhile.
    private static let callsPerTurn = 16

    init(
        id: SessionID,
        request: BrowseRequest,
        configuration: AvahiConfiguration,
        isProtected: @escaping @Sendable (ServiceInstance) -> Bool,
        now: ContinuousClock.Instant,
        report: @escaping @Sendable ([BrowseEvent]) -> Void
    ) {
        self.id = id
        self.configuration = configuration
        self.report = report
        self.watchRate = TokenBucket(capacity: 256, perSecond: 400, now: now)
        self.machine = AvahiBrowseStateMachine(
            request: request,
            configuration: configuration,
            isProtected: isProtected,
            now: now
        )
    }

    func daemonChanged(to condition: DaemonCondition, on connection: isolated AvahiConnection) {
        switch condition {
        case .up:
            guard !isUp else { return }
            isUp = true
            report([.status(.running)])
            let limits = DaemonLimits(file: configuration.configurationFile)
            let types = machine.request.types.map(\.description).joined(separator: ", ")
            connection.logger.debug("browsing for \(types); cache-entries-max is \(limits.cacheEntries)")
            perform(machine.connected(cacheLimit: limits.cacheEntries, now: connection.clock.now), on: connection)
        case .starting:
            lose(now: connection.clock.now)
        case .unavailable(let error):
            lose(now: connection.clock.now)
            report([.status(.unavailable(error))])
        }
    }

    func receive(_ event: ObjectEvent, from object: ObjectID, on connection: isolated AvahiConnection) {
        let table = interfaces ?? .system()
        interfaces = table
        perform(machine.receive(event, from: object, interfaces: table, now: connection.clock.now), on: connection)
    }

    func tick(now: ContinuousClock.Instant, on connection: isolated AvahiConnection) {
        guard let deadline = machine.deadline, deadline <= now else { return }
        perform(machine.tick(now: now), on: connection)
    }

    func work(on connection: isolated AvahiConnection) -> Bool {
        interfaces = nil
        let events = machine.takeEvents(now: connection.clock.now)
        if !events.isEmpty { report(events) }
        log(events, on: connection)
        for _ in 0..<Self.callsPerTurn {
            guard isUp else { return false }
            if let action = queue.next(mayResolve: resolving.count < Self.resolversAtOnce) {
                carryOut(action, on: connection)
                continue
            }
            send(resolving.isEmpty ? machine.expectation.map { .expecting(until: $0) } ?? .idle : .busy)
            openEarly(on: connection)
            guard queue.hasWatches, watchRate.take(now: connection.clock.now), let action = queue.nextWatch()
            else { return false }
            carryOut(action, on: connection)
        }
        send(.busy)
        return true
    }

    private func log(_ events: [BrowseEvent], on connection: isolated AvahiConnection) {
        for event in events {
            switch event {
            case .sighted(let sighting):
                connection.logger.debug("\(sighting.instance) on \(sighting.path): \(sighting.resolution)")
            case .vanished(let instance, let path, let reason):
                connection.logger.debug("\(instance) on \(path): \(reason)")
            case .status, .activity, .warning, .domain, .losses:
                // The embedding program shows these.
                break
            }
        }
    }

    private func send(_ activity: BackendActivity) {
        guard activity != self.activity else { return }
        self.activity = activity
        report([.activity(activity)])
    }

    var deadline: ContinuousClock.Instant? {
        guard queue.hasWatches else { return machine.deadline }
        // Several watches at a time: a timer for each would cost more than the watch itself.
        let next = watchRate.time(for: 16)
        return machine.deadline.map { min($0, next) } ?? next
    }

    var clientCount: Int { clients.count }

    var objectCount: Int { objects.count }

    func end(on connection: isolated AvahiConnection) {
        for (object, client) in objects.values where client === connection.client {
            connection.loop.blocking { object.free() }
            client.objects -= 1
        }
        lose(now: connection.clock.now)
    }

    // MARK: Objects

    private func perform(_ actions: [AvahiBrowseAction], on connection: isolated AvahiConnection) {
        for action in actions {
            switch action {
            case .browse, .resolve, .watch:
                queue.add(action)
            case .free(let object):
                resolving.remove(object)
                // An object that has not been made need not be freed.
                if !queue.remove(object) { queue.add(action) }
            }
        }
        if !actions.isEmpty { connection.scheduleTurn() }
    }

    private func carryOut(_ action: AvahiBrowseAction, on connection: isolated AvahiConnection) {
        /// The session's own client that was to hold the object.
        var holder: BusClient?
        do throws(AvahiError) {
            switch action {
            case .browse(let object, let type):
                guard let client = connection.client else { throw .disconnected }
                let domain = machine.request.domain.escaped
                try make(object, in: client, on: connection) { client, context in
                    .serviceBrowser(client, type: type, domain: domain, context: context)
                }
            case .watch(let object, let name, let type):
                let client = try clientWithRoom(on: connection)
                holder = client
                try make(object, in: client, on: connection) { client, context in
                    .recordBrowser(client, name: name, type: type, context: context)
                }
            case .resolve(let object, let instance, let path):
                let client = try clientWithRoom(on: connection)
                holder = client
                try make(object, in: client, on: connection) { client, context in
                    .serviceResolver(
                        client,
                        name: instance.name,
                        type: instance.type.description,
                        domain: instance.domain,
                        on: path,
                        context: context
                    )
                }
                resolving.insert(object)
            case .free(let object):
                guard let (object, client) = objects.removeValue(forKey: object) else { break }
                connection.loop.blocking { object.free() }
                client.objects -= 1
                client.isFull = false
            }
        } catch {
            failed(action, in: holder, error, on: connection)
        }
    }

    private func make(
        _ id: ObjectID,
        in client: BusClient,
        on connection: isolated AvahiConnection,
        _ constructor: (Client, ObjectContext) -> AvahiObject?
    ) throws(AvahiError) {
        guard let handle = client.client else { throw .disconnected }
        let context = ObjectContext(connection: connection, session: self.id, object: id)
        guard let object = connection.loop.blocking({ constructor(handle, context) }) else { throw client.lastError }
        objects[id] = (object, client)
        client.objects += 1
    }

    private func failed(
        _ action: AvahiBrowseAction,
        in client: BusClient?,
        _ error: AvahiError,
        on connection: isolated AvahiConnection
    ) {
        if let client, error == .tooManyObjects, client.objects > 0 {
            // The daemon's limit is lower than we thought: the next client takes the object.
            client.isFull = true
            queue.putBack(action)
            return
        }
        switch error {
        case .tooManyObjects, .tooManyClients, .noMemory:
            machine.startFailed(action.object, error: error, now: connection.clock.now)
        case .disconnected, .dbus, .noDaemon, .badState:
            connection.clientFailed(error)
        default:
            // The daemon rejects only this name or type: the others go on.
            machine.startFailed(action.object, error: error, now: connection.clock.now)
        }
    }

    /// Opens the first client for records once the service browsers have been made, during the ten milliseconds that
    /// the daemon waits before a new browser reports anything.
    private func openEarly(on connection: isolated AvahiConnection) {
        guard !hasOpenedEarly else { return }
        hasOpenedEarly = true
        // A failure is reported when the client is needed.
        _ = try? clientWithRoom(on: connection)
    }

    private func clientWithRoom(on connection: isolated AvahiConnection) throws(AvahiError) -> BusClient {
        let limit = configuration.objectsPerConnection
        if let client = clients.last, !client.isFull, client.objects < limit { return client }
        if let client = clients.first(where: { !$0.isFull && $0.objects < limit }) { return client }
        let client = try connection.openClient()
        clients.append(client)
        return client
    }

    /// Forgets and frees everything: the daemon is gone, or the session ends.
    private func lose(now: ContinuousClock.Instant) {
        if isUp { machine.disconnected(now: now) }
        isUp = false
        hasOpenedEarly = false
        activity = .idle
        resolving = []
        queue = StartQueue()
        objects = [:]
        for client in clients { client.free() }
        clients = []
    }
}
