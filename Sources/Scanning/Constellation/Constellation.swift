internal import CoreMetrics
package import DNSSD
package import GatewayProtocol

/// Everything that a program knows of gateways, in one place that all its parts share: sources report to it, and readers
/// follow what it shows. That is the map of gateways and bots, the services, the conditions of the backends that find
/// these, and the sessions with paired gateways.
///
/// All of it has one order and one revision, whatever it is about: see ``ConstellationUpdates``.
///
/// It starts no task and has no clock. Everything in it but pairings comes from the network and is untrusted.
///
/// ## Usage
///
/// ```swift
/// for await update in scanner.constellation.updates {
///     switch update {
///     case .snapshot(let snapshot): print("\(snapshot.gateways.count) gateways")
///     case .change(let change, _): print(change)
///     @unknown default: break
///     }
/// }
/// ```
public actor Constellation {
    private(set) var map: BotMap
    private var isFinished = false
    private let metrics = ConstellationMetrics()

    /// The times at which endpoints last answered, which change too often to be a part of the map.
    package nonisolated let answerTimes = AnswerTimes()

    /// The latest changes, with the revision, which grows whenever anything changes.
    private var log = ChangeLog(limit: ConstellationUpdates.changesKept)

    /// The changes of the call that is being handled.
    private var pending: [ConstellationChange] = []

    /// The conditions of the backends.
    private var backends: [SightingSource: BackendCondition] = [:]

    /// The sessions.
    private var sessions: [ShownSession.ID: ShownSession] = [:]

    /// A closure that gets every event before it is applied.
    private let observer: (@Sendable (BotMapEvent) -> Void)?

    /// The reports about endpoints that no map shows, and their readers.
    private var reports = EndpointReports()

    private var readers = WeakReaders<UpdateReader>()

    /// The readers of ``crowdSizes()``.
    private var crowdReaders: [AsyncStream<Int>.Continuation] = []

    /// Creates an empty constellation.
    ///
    /// - Parameters:
    ///   - limits: The limits on what the map keeps.
    ///   - asksRepeatedly: Indicates whether endpoints are asked more than once: see
    ///     ``BotMap/init(limits:asksRepeatedly:showsGateways:)``.
    ///   - showsGateways: Indicates whether services lead to rows of gateways: see
    ///     ``BotMap/init(limits:asksRepeatedly:showsGateways:)``.
    ///   - observer: A closure that gets every event in the order of application, for instance to record them: the same
    ///     events lead to the same map. The map waits while it runs.
    package init(
        limits: BotMapLimits = BotMapLimits(),
        asksRepeatedly: Bool = true,
        showsGateways: Bool = true,
        observer: (@Sendable (BotMapEvent) -> Void)? = nil
    ) {
        self.map = BotMap(limits: limits, asksRepeatedly: asksRepeatedly, showsGateways: showsGateways)
        self.observer = observer
    }

    /// Applies one event, and reports its changes to every reader.
    ///
    /// - Returns: The changes that it caused.
    @discardableResult
    package func apply(_ event: BotMapEvent) -> [BotMapChange] {
        let changes = take(event)
        report()
        return changes
    }

    /// Applies several events as one: no reader sees the map between them.
    ///
    /// - Returns: The changes that they caused.
    @discardableResult
    package func apply(_ events: some Sequence<BotMapEvent>) -> [BotMapChange] {
        var changes: [BotMapChange] = []
        for event in events { changes += take(event) }
        report()
        return changes
    }

    /// Applies the events of the one that asks endpoints as one, and returns what the map wants to know from it now. It
    /// gets the demands that others cause as ``endpointNotices``.
    ///
    /// - Parameter silent: The endpoints that have left a question unanswered since the last call.
    package func report(_ events: [BotMapEvent], silent: [Endpoint] = []) -> MapReply {
        var demands: [EndpointDemand] = []
        for event in events {
            _ = take(event, demands: &demands)
        }
        report()
        demands += silent.flatMap(map.demands(afterSilenceOf:))
        return MapReply(demands: demands, gatewayCount: map.gatewayCount)
    }

    /// The number of rows at whose endpoints a gateway has answered.
    package var gatewayCount: Int { map.gatewayCount }

    private func take(_ event: BotMapEvent) -> [BotMapChange] {
        var demands: [EndpointDemand] = []
        let changes = take(event, demands: &demands)
        for demand in demands { reports.pass(demand) }
        return changes
    }

    private func take(_ event: BotMapEvent, demands: inout [EndpointDemand]) -> [BotMapChange] {
        observer?(event)
        metrics.events.increment()
        reports.note(event)
        let changes = map.apply(event)
        demands += map.demands
        pending += map.serviceChanges.map(ConstellationChange.service)
        pending += changes.map(ConstellationChange.gateway)
        return changes
    }

    /// Takes in the condition of a backend, which replaces its former one.
    package func note(_ condition: BackendCondition) {
        guard backends.updateValue(condition, forKey: condition.source) != condition else { return }
        pending.append(.backend(condition))
        report()
    }

    /// Takes in a session as it is now, which replaces its former state.
    package func note(_ session: ShownSession) {
        let before = sessions.updateValue(session, forKey: session.id)
        guard before != session else { return }
        pending.append(.session(before == nil ? .found(session) : .changed(session)))
        report()
    }

    /// Takes in that sessions are shown no more.
    package func noteEnd(of ids: some Sequence<ShownSession.ID>, _ loss: SessionLoss) {
        pending += ids.compactMap { sessions.removeValue(forKey: $0) }.map { .session(.lost($0, loss)) }
        report()
    }

    /// Pins the leaf certificate that an endpoint has to show, since it has proved by it to be a paired gateway; `nil`
    /// allows any.
    ///
    /// Whoever asks endpoints whether they answer, such as a scanner, asks it over TLS alone from then on, and sends
    /// nothing after the handshake if it shows another leaf.
    package func pin(_ leaf: LeafFingerprint?, at endpoint: Endpoint) { reports.pin(leaf, at: endpoint) }

    /// The revision of the last change.
    var revision: UInt64 { log.revision }

    /// The gateways, sorted by their identifiers.
    public var gateways: [Gateway] { map.gateways }

    /// Everything as it is now, with its revision.
    public var snapshot: ConstellationSnapshot { snapshot(of: .all) }

    /// The bots of all gateways, sorted by their keys.
    public var bots: [Bot] { map.bots }

    /// Returns the gateway with an identifier, if it is in the map.
    public func gateway(_ id: GatewayID) -> Gateway? { map[id] }

    /// The rows of the map, followed by their changes; see ``MapUpdates``.
    public nonisolated var updates: some AsyncSequence<MapUpdate, Never> & Sendable { MapUpdates(self) }

    /// Returns everything that is shown, followed by its changes, for one reader or several; see ``ConstellationUpdates``.
    ///
    /// - Parameters:
    ///   - topics: What they are told of.
    ///   - revision: The revision of the last update that they have from an earlier sequence of this constellation; `nil` if
    ///     they begin.
    package nonisolated func news(
        of topics: ConstellationTopics = .all,
        after revision: UInt64? = nil
    ) -> ConstellationUpdates {
        ConstellationUpdates(self, of: topics, after: revision)
    }

    /// The reports of sessions and pairings about endpoints, for the one that asks these; see ``EndpointNotices``.
    package nonisolated var endpointNotices: EndpointNotices { EndpointNotices(self) }

    /// Ends every sequence of ``updates``, ``news(of:after:)`` and ``endpointNotices`` once its reader has taken the updates
    /// that wait.
    package func finish() {
        isFinished = true
        reports.finish()
        for reader in readers.present { reader.signal.raise() }
        readers.removeAll()
    }

    /// Passes the pending changes to the readers.
    private func report() {
        guard !pending.isEmpty else { return }
        metrics.note(pending, rows: map.rows.count)
        crowdReaders.removeAll {
            if case .terminated = $0.yield(map.candidates.count) { true } else { false }
        }
        let topics = log.append(pending)
        pending = []
        for reader in readers.present where !reader.topics.isDisjoint(with: topics) { reader.signal.raise() }
    }

    /// Gives a reader the changes since it was last here; a snapshot, if it begins or they are not kept any more.
    ///
    /// No change can be missed between the two, since both happen here.
    func fill(_ reader: UpdateReader) {
        if reader.begin(), !isFinished { readers.add(reader) }
        reader.signal.lower()
        let missed = reader.revision.map { log.problems(after: $0) } ?? []
        let known = reader.revision.flatMap { log.updates(after: $0, of: reader.topics) }
        let revision = known?.revision ?? log.revision
        reader.append(
            known?.updates ?? [.snapshot(snapshot(of: reader.topics, missedProblems: missed))],
            upTo: revision,
            isLast: isFinished && revision == log.revision
        )
    }

    /// Returns everything that belongs to topics as it is now.
    package func snapshot(of topics: ConstellationTopics, missedProblems: [BotMapProblem] = []) -> ConstellationSnapshot
    {
        ConstellationSnapshot(
            revision: log.revision,
            gateways: topics.contains(.gateways) ? map.gateways : [],
            services: topics.contains(.services) ? map.services : [],
            backends: topics.contains(.backends)
                ? backends.values.sorted { $0.source.rawValue < $1.source.rawValue } : [],
            sessions: topics.contains(.sessions)
                ? sessions.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) } : [],
            missedProblems: missedProblems
        )
    }

    /// Returns the notices for a reader that begins; from here on, it is told what changes.
    func begin(_ reader: NoticeReader) -> [EndpointNotice] {
        if isFinished { reader.signal.end() } else { reports.add(reader) }
        return reports.endpoints.sorted().map { notice($0, map.place(of: $0).map { [$0.reason] } ?? []) }
    }

    /// Returns the notices that a reader has not had yet.
    func notices(for reader: NoticeReader) -> [EndpointNotice] {
        reader.take().sorted { $0.key < $1.key }.map { notice($0.key, $0.value) }
    }

    private func notice(_ endpoint: Endpoint, _ demands: [EndpointDemand.Reason]) -> EndpointNotice {
        EndpointNotice(
            endpoint: endpoint,
            session: reports.sessions[endpoint],
            identity: map.identity(at: endpoint),
            pin: reports.pins[endpoint],
            demands: demands
        )
    }

    /// Returns the number of services and entries, now and whenever something has changed; the latest one, if the reader is
    /// slow.
    package func crowdSizes() -> AsyncStream<Int> {
        let (sizes, reader) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        reader.yield(map.candidates.count)
        crowdReaders.append(reader)
        return sizes
    }

    /// The number of readers.
    var readerCount: Int { readers.present.count }
}
