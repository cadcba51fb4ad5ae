internal import DNSSD
internal import Discovery
internal import HostSystem
internal import Logging
internal import Pairing
internal import Reports
internal import Scanning
internal import Synchronization

/// The part that watches gateways, keeps their history, and tells the user when they go away or come back.
final class NoticesPart: Sendable {
    /// The time between two looks while something is about to be decided, and while something is to be told later.
    private static let shortInterval = Duration.milliseconds(250)
    private static let longInterval = Duration.seconds(5)

    /// The time between two looks while a gateway that is new waits to be told.
    private static let newcomerInterval = Duration.seconds(1)

    /// The time for which changes of the map are collected.
    private static let pause = Duration.milliseconds(100)

    /// The time after which the history has to say again that the agent runs.
    private static let aliveInterval = Duration.seconds(60)

    private let configuration: AgentConfiguration
    private let constellation: Constellation
    private let store: StorePart
    private let settings: Broadcast<Settings>
    private let named: Broadcast<[ProbeAddress: Set<Endpoint>]>
    private let logger: Logger?
    private let watch: @Sendable (Int) async -> Void
    private let kept = Mutex<NoticeJournal?>(nil)

    /// Makes the part.
    ///
    /// - Parameters:
    ///   - named: The places to which the gateways lead that the settings name.
    ///   - watch: Is told when one more or one fewer watches the gateways.
    init(
        _ configuration: AgentConfiguration,
        _ constellation: Constellation,
        _ store: StorePart,
        _ settings: Broadcast<Settings>,
        named: Broadcast<[ProbeAddress: Set<Endpoint>]>,
        _ logger: Logger?,
        watch: @escaping @Sendable (Int) async -> Void
    ) {
        self.configuration = configuration
        self.constellation = constellation
        self.store = store
        self.settings = settings
        self.named = named
        self.logger = logger
        self.watch = watch
    }

    /// The messages and the history in memory; `nil` while nobody watches.
    var journal: NoticeJournal? { kept.withLock(\.self) }

    /// The history; `nil` while it is not open.
    var history: NoticeStore? { journal?.store }

    /// Watches and tells until the task is cancelled.
    func run(_ reporter: PartReporter) async throws {
        let troubles = SinkTroubles(reporter)
        troubles.set(PartReporter.waitsForStore, of: "")
        // Each courier waits for messages of its own.
        let added = Broadcast(0)
        let journal = NoticeJournal { [configuration] in
            try NoticeStore(folder: configuration.store().folder)
        } report: {
            troubles.set($0, of: SinkTroubles.historyName)
        } wake: {
            added.send(added.value + 1)
        }
        kept.withLock { $0 = journal }
        defer { kept.withLock { $0 = nil } }
        await journal.start()
        do {
            try await run(journal, added, troubles)
        } catch {
            await journal.end(at: .now)
            throw error
        }
    }

    private func run(_ journal: NoticeJournal, _ added: Broadcast<Int>, _ troubles: SinkTroubles) async throws {
        let heard = Broadcast(LastAnswers())
        constellation.answerTimes.begin()
        let calls = WakeCalls()
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await journal.run() }
            group.addTask { await self.deliver(journal, added, troubles) }
            group.addTask {
                var answers = LastAnswers()
                for await update in self.constellation.news(of: [.gateways, .sessions]) {
                    answers.note(update, at: .now)
                    heard.send(answers)
                    if update.isNews { calls.wake() }
                }
            }
            group.addTask { for await _ in self.settings.stream(limit: 1) { calls.wake() } }
            group.addTask { for await _ in self.named.stream(limit: 1) { calls.wake() } }
            group.addTask { for await _ in NetworkChanges.stream() { calls.wake() } }
            let pairings = Broadcast<StoredAccess?>(nil)
            group.addTask {
                for await store in self.store.stores {
                    guard let store else { continue }
                    var changes = await store.changes.begin()
                    var found: StoredAccess?
                    repeat {
                        found = try? await store.perform { store throws(StoreError) in try StoredAccess(store) }
                        if let found {
                            pairings.send(found)
                            calls.wake()
                        }
                    } while await changes.next(ifRead: found != nil) != nil
                }
            }
            // Without what is paired, all that was remembered would seem to be watched no more.
            for await found in pairings.stream(limit: 1) where found != nil { break }
            try Task.checkCancellation()
            troubles.set(nil, of: "")
            try await self.follow(journal, pairings, heard, calls, troubles)
            group.cancelAll()
        }
    }

    // MARK: Rules

    /// Gives the facts to the rules, whenever some have changed and every now and then.
    private func follow(
        _ journal: NoticeJournal,
        _ pairings: Broadcast<StoredAccess?>,
        _ heard: Broadcast<LastAnswers>,
        _ calls: WakeCalls,
        _ troubles: SinkTroubles
    ) async throws {
        // Until now nobody looked at gateways.
        let memory = await journal.begin(at: .now)
        let policy = settings.value.notify.value.policy
        var rules = NoticeRules(policy, memory.gateways, revoked: memory.revoked, limits: memory.limits, at: .now)
        var facts = WatchedFacts(memory.gateways)
        var newcomers = NewGateways(known: memory.known)
        var networks = NetworkLooks()
        let neighbours = LinkNeighbours()
        var links = SilentLinks()
        var known: StoredAccess?
        var alive = ContinuousClock.now
        var sleep = HostSleep(.now, awake: .now)
        var clock = ClockSteps()
        var claimed: [String]?
        var (doubts, doubt) = (NotifyDoubts(), String?.none)
        while true {
            try Task.checkCancellation()
            let moment = Moment.now
            var actions: [NoticeAction] = []
            if let began = sleep.look(moment, awake: .now) { actions += rules.wake(from: began, at: moment) }
            if let step = clock.look(moment.time, moment.instant) {
                actions.append(.clockSet(from: step.from, to: step.to))
            }
            let wanted = settings.value.notify.value
            rules.policy = wanted.policy
            if pairings.value != known, let found = pairings.value {
                known = found
                facts.take(found)
            }
            let snapshot = await constellation.snapshot(of: [.gateways, .sessions])
            var answers = heard.value
            answers.times = constellation.answerTimes.all
            let found = facts.facts(
                snapshot,
                wanted.policy.watched,
                named: namedPlaces,
                heard: answers,
                now: moment.instant
            ) { addresses in
                networks.lead(to: addresses, now: moment.instant)
            }
            let addresses = addresses(of: found, snapshot, known)
            let judged = links.judge(
                found,
                places: addresses.compactMapValues { networks.place(of: $0, now: moment.instant) },
                at: moment.instant
            ) { links, silent in
                neighbours.look(
                    links,
                    silent: silent,
                    besides: Set(addresses.values.joined()),
                    at: moment.instant
                ) { calls.wake() }
            }
            actions += rules.note(judged, revoked: facts.revocations(wanted.policy.watched), at: moment)
            var muted: Set<String> = []
            if rules.hasNews(at: moment) { muted = await journal.muted(at: moment.time) }
            actions += rules.tell(besides: muted, at: moment)
            troubles.set(rules.held(besides: muted, at: moment)?.text, of: SinkTroubles.heldName)
            actions += newcomers.take(
                facts.newcomers(snapshot.gateways),
                paired: snapshot.gateways.filter(\.isPaired).map(\.id.description),
                formerKeys: snapshot.formerKeys,
                wanted.policy,
                at: moment
            ) {
                rules.countOne(at: moment)
            }
            let sinks = wanted.sinks.map(\.name)
            let isDue = moment.instant - alive >= Self.aliveInterval
            if sinks != claimed || isDue {
                // Who has changed the settings has seen what was lost before.
                let hasChanged = claimed != nil && sinks != claimed
                claimed = sinks
                if let found = await journal.unclaimed(besides: sinks, isChanged: hasChanged, at: moment.time) {
                    troubles.set(found.trouble, of: SinkTroubles.unclaimedName)
                }
            }
            let new = doubts.look(wanted, at: moment.instant) { facts.names(snapshot, namedPlaces) }
            if new != doubt { troubles.set(new, of: SinkTroubles.doubtName) }
            doubt = new
            if !actions.isEmpty || isDue {
                alive = moment.instant
                await journal.take(actions, for: sinks, at: moment.time)
                for case .tell(let notice) in actions { log(notice) }
            }
            let next: Duration? =
                switch rules.pace(at: moment.instant) {
                case .soon: Self.shortInterval
                case _ where newcomers.isWaiting: Self.newcomerInterval
                case .later: Self.longInterval
                // The history has to say that the agent runs.
                case .rest: Self.aliveInterval - (moment.instant - alive)
                case .never: nil
                }
            let interval = [next, doubts.pace].compactMap(\.self).min()
            sleep.expect(within: Self.pause + (interval ?? .seconds(1 << 31)))
            try await calls.wait(after: Self.pause, atMost: interval)
        }
    }

    /// Returns the addresses of watched gateways, by their keys: those of a pairing, of a place that the settings name, or of a
    /// row.
    private func addresses(
        of facts: [GatewayFacts],
        _ snapshot: ConstellationSnapshot,
        _ known: StoredAccess?
    ) -> [String: [IPAddress]] {
        let ofPairings = (known?.pairings ?? []).map { ("\($0.id)", $0.endpoints.map(\.address)) }
        let ofPlaces = namedPlaces.map { ($0.key, $0.endpoints.map(\.address).sorted { "\($0)" < "\($1)" }) }
        let ofRows = snapshot.gateways.map { ("\($0.id)", $0.ownPlaces.map(\.address)) }
        let all = Dictionary(ofPairings + ofPlaces + ofRows) { first, _ in first }
        let keys = Set(facts.map(\.subject.key))
        return all.filter { keys.contains($0.key) && !$0.value.isEmpty }
    }

    /// The gateways that the settings name, with the places to which the names lead now.
    var namedPlaces: [NamedPlace] {
        let found = named.value
        return settings.value.gateways.value.flatMap { NamedPlace.all($0, found[$0] ?? []) }
    }

    private func log(_ notice: Notice) {
        logger?.notice("\(notice.title). \(notice.text)")
    }

    // MARK: Sinks

    /// Delivers the messages to all sinks of the settings.
    private func deliver(_ journal: NoticeJournal, _ added: Broadcast<Int>, _ troubles: SinkTroubles) async {
        var running: [NoticeSink: Task<Void, Never>] = [:]
        var isWatching = false
        for await latest in settings.stream(limit: 1) {
            let sinks = latest.notify.value.sinks
            for (sink, task) in running where !sinks.contains(sink) {
                task.cancel()
                await task.value
                running[sink] = nil
                troubles.set(nil, of: sink.name)
            }
            for sink in sinks where running[sink] == nil && !Task.isCancelled {
                running[sink] = Task {
                    let courier = Courier(sink, journal) { troubles.set($0, of: sink.name) }
                    await courier.run(added.stream(limit: 1).map { _ in })
                }
            }
            // Who is to be told at once has to be asked often.
            let watches = !sinks.isEmpty && latest.notify.value.policy.watched != .none
            if watches != isWatching {
                isWatching = watches
                await watch(watches ? 1 : -1)
            }
        }
        for task in running.values { task.cancel() }
        for task in running.values { await task.value }
        if isWatching { await watch(-1) }
    }
}

extension ConstellationUpdate {
    /// Indicates whether it is about more than round-trip times.
    fileprivate var isNews: Bool {
        guard case .changes(let changes, _) = self else { return true }
        return changes.contains { change in
            if case .gateway(.changed(_, let aspects)) = change { aspects != [.latency] } else { true }
        }
    }
}
