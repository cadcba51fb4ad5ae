internal import CoreMetrics
public import DNSSD
public import GatewayProtocol

/// The one map of gateways and bots that all parts of a program share: sources apply events to it, and readers follow
/// its changes.
///
/// It starts no task and has no clock. Everything in it but pairings comes from the network and is untrusted.
///
/// ## Usage
///
/// ```swift
/// let constellation = Constellation()
/// await constellation.apply(.serviceFound(service))
/// for await update in constellation.updates {
///     switch update {
///     case .snapshot(let snapshot): print("\(snapshot.gateways.count) gateways")
///     case .change(let change, _): print(change)
///     }
/// }
/// ```
public actor Constellation {
    private var map: BotMap
    private var isFinished = false
    private let metrics = ConstellationMetrics()

    /// The revision of the map, which grows whenever the map changes.
    private var revision: UInt64 = 0

    /// A closure that gets every event before it is applied.
    private let observer: (@Sendable (BotMapEvent) -> Void)?

    /// The reports about endpoints that no map shows, and their readers.
    private var reports = EndpointReports()

    /// The mailboxes of the readers, held weakly: a reader ends when its iterator is released.
    private var readers: [WeakMailbox] = []

    /// Creates an empty constellation.
    ///
    /// - Parameters:
    ///   - limits: The limits on what the map keeps.
    ///   - asksRepeatedly: Indicates whether endpoints are asked more than once: see ``BotMap/init(limits:asksRepeatedly:)``.
    ///   - observer: A closure that gets every event in the order of application, for instance to record them: the same
    ///     events lead to the same map. The map waits while it runs.
    public init(
        limits: BotMapLimits = BotMapLimits(),
        asksRepeatedly: Bool = true,
        observer: (@Sendable (BotMapEvent) -> Void)? = nil
    ) {
        self.map = BotMap(limits: limits, asksRepeatedly: asksRepeatedly)
        self.observer = observer
    }

    /// Applies one event, and reports its changes to every reader.
    ///
    /// - Returns: The changes that it caused.
    @discardableResult
    public func apply(_ event: BotMapEvent) -> [BotMapChange] {
        let changes = take(event)
        if !changes.isEmpty { report(changes) }
        return changes
    }

    /// Applies several events as one: no reader sees the map between them.
    ///
    /// - Returns: The changes that they caused.
    @discardableResult
    public func apply(_ events: some Sequence<BotMapEvent>) -> [BotMapChange] {
        var changes: [BotMapChange] = []
        for event in events { changes += take(event) }
        if !changes.isEmpty { report(changes) }
        return changes
    }

    private func take(_ event: BotMapEvent) -> [BotMapChange] {
        observer?(event)
        metrics.events.increment()
        reports.note(event)
        return map.apply(event)
    }

    /// Pins the leaf certificate that an endpoint has to show, since it has proved by it to be a paired gateway; `nil`
    /// allows any.
    ///
    /// Whoever asks endpoints whether they answer, such as a scanner, asks it over TLS alone from then on, and sends
    /// nothing after the handshake if it shows another leaf.
    public func pin(_ leaf: LeafFingerprint?, at endpoint: Endpoint) { reports.pin(leaf, at: endpoint) }

    /// The gateways, sorted by their identifiers.
    public var gateways: [Gateway] { map.gateways }

    /// The whole map as it is now, with its revision.
    public var snapshot: MapSnapshot { makeSnapshot(missedProblems: []) }

    /// The bots of all gateways, sorted by their keys.
    public var bots: [Bot] { map.bots }

    /// Returns the gateway with an identifier, if it is in the map.
    public func gateway(_ id: GatewayID) -> Gateway? { map[id] }

    /// The current map, followed by its changes; see ``MapUpdates``.
    public nonisolated var updates: MapUpdates { MapUpdates(constellation: self) }

    /// The reports of sessions and pairings about endpoints, for the one that asks these; see ``EndpointNotices``.
    public nonisolated var endpointNotices: EndpointNotices { EndpointNotices(self) }

    /// Ends every sequence of ``updates`` and ``endpointNotices`` once its reader has taken the updates that wait.
    public func finish() {
        isFinished = true
        reports.finish()
        for reader in readers { reader.mailbox?.finish() }
        readers = []
    }

    private func report(_ changes: [BotMapChange]) {
        revision += 1
        metrics.note(changes, rows: map.rows.count)
        var hasGone = false
        for reader in readers {
            guard let mailbox = reader.mailbox else {
                hasGone = true
                continue
            }
            mailbox.put(changes, revision: revision)
        }
        if hasGone { forgetGone() }
    }

    private func forgetGone() {
        readers.removeAll { $0.mailbox == nil }
    }

    /// Returns the current map for a reader that begins or was too slow; from here on, the reader gets every change.
    ///
    /// No change can be missed between the two, since both happen here.
    func snapshot(for mailbox: Mailbox, isFirst: Bool) -> MapSnapshot {
        let missed = mailbox.restart()
        if isFirst {
            forgetGone()
            if isFinished { mailbox.finish() } else { readers.append(WeakMailbox(mailbox: mailbox)) }
        }
        return makeSnapshot(missedProblems: missed)
    }

    private func makeSnapshot(missedProblems: [BotMapProblem]) -> MapSnapshot {
        MapSnapshot(revision: revision, gateways: map.gateways, missedProblems: missedProblems)
    }

    /// Returns the notices for a reader that begins; from here on, it is told what changes.
    func begin(_ reader: NoticeReader) -> [EndpointNotice] {
        if isFinished { reader.finish() } else { reports.add(reader) }
        return reports.endpoints.sorted().map(notice)
    }

    /// Returns the notices that a reader has not had yet.
    func notices(for reader: NoticeReader) -> [EndpointNotice] { reader.take().sorted().map(notice) }

    private func notice(_ endpoint: Endpoint) -> EndpointNotice {
        EndpointNotice(
            endpoint: endpoint,
            session: reports.sessions[endpoint],
            pin: reports.pins[endpoint],
            row: map.gateway(at: endpoint)
        )
    }

    /// The number of readers.
    var readerCount: Int { readers.count { $0.mailbox != nil } }
}
