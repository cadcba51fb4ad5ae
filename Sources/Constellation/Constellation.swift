internal import CoreMetrics

/// The one map of gateways and bots, for everybody: whoever learns something tells it, whoever wants to know reads it.
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

    /// Grows with everything that has changed the map.
    private var revision: UInt64 = 0

    /// Gets every event before it is applied.
    private let observer: (@Sendable (BotMapEvent) -> Void)?

    /// Those that read, held weakly: a reader is gone when its iterator is.
    private var readers: [WeakMailbox] = []

    /// Makes one that knows nothing.
    ///
    /// - Parameters:
    ///   - limits: How much the map keeps.
    ///   - awaitsNews: Whether whoever is asked once is asked again: see ``BotMap/init(limits:awaitsNews:)``.
    ///   - observer: Gets every event in the order in which they are applied, such as to record them: the same events
    ///     lead to the same map. It holds up the map while it runs.
    public init(
        limits: BotMapLimits = BotMapLimits(),
        awaitsNews: Bool = true,
        observer: (@Sendable (BotMapEvent) -> Void)? = nil
    ) {
        self.map = BotMap(limits: limits, awaitsNews: awaitsNews)
        self.observer = observer
    }

    /// Takes one event in, and tells every reader what it changed.
    ///
    /// - Returns: What it changed.
    @discardableResult
    public func apply(_ event: BotMapEvent) -> [BotMapChange] {
        let changes = take(event)
        if !changes.isEmpty { report(changes) }
        return changes
    }

    /// Takes several events in, of which nobody sees a part.
    ///
    /// - Returns: What they changed.
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
        return map.apply(event)
    }

    /// The gateways, sorted by their identifiers.
    public var gateways: [Gateway] { map.gateways }

    /// The whole map as it is now, with its revision.
    public var snapshot: MapSnapshot { makeSnapshot(missedProblems: []) }

    /// The bots of all gateways, sorted by their keys.
    public var bots: [Bot] { map.bots }

    /// One gateway.
    public func gateway(_ id: GatewayID) -> Gateway? { map[id] }

    /// The present map, and then its changes; see ``MapUpdates``.
    public nonisolated var updates: MapUpdates { MapUpdates(constellation: self) }

    /// Ends every sequence of ``updates``, when what waits has been taken.
    public func finish() {
        isFinished = true
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

    /// The present map, for a reader that begins or was too slow. From here on it gets every change.
    ///
    /// No change can come between the two, since both happen here.
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

    /// The number of readers.
    var readerCount: Int { readers.count { $0.mailbox != nil } }
}
