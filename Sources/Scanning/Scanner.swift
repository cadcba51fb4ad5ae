public import Constellation
package import DNSSD
public import Discovery
internal import EventLoops
internal import GatewayClient
internal import GatewayProtocol
public import Logging
public import ServiceLifecycle
internal import Synchronization

/// Knows which gateways are there, what they are, and whether they live: it browses, asks each gateway what it is and which
/// bots it has, asks again whether it answers, and tells a ``/Constellation``.
///
/// Presence and liveness are two facts: what DNS-SD says is a reason to ask, and answers alone decide (see ``Liveness``).
/// No secret is sent. A forger cannot aim it at a victim: 32 sockets at once ask what is there, 8 of them at one address,
/// and no address sees more than 60 connections a minute because of what anybody may have made up (see ``ProbeBudget``).
///
/// It is safe inside any program: it catches no signal, prints nothing, starts no task before ``run()`` and leaves nothing
/// behind when that returns. Everything that it learns comes from the network and is untrusted.
///
/// ## Usage
///
/// ```swift
/// let scanner = Scanner(browser: browser)
/// try await withThrowingTaskGroup(of: Void.self) { group in
///     group.addTask { await scanner.run() }
///     for await update in scanner.constellation.updates {
///         print(update)
///     }
/// }
/// ```
public actor Scanner: Service {
    /// The time for which the kernel is not asked again for its neighbours, however many of them answer.
    private static let neighbourPause = Duration.milliseconds(250)

    /// The browser that finds the services.
    public nonisolated let browser: Browser

    /// The constellation that is told of what the scanner learns.
    public nonisolated let constellation: Constellation

    private let configuration: ScannerConfiguration
    let clock: any MonotonicClock
    let metrics = ScannerMetrics()
    private let logger: Logger?
    private let latest = Broadcast(ScanProgress())

    var state: ScanState
    private(set) var isRunning = false

    // What its users want, from one run to the next.
    var manualGateways: [ManualGateway]
    var pins: [Endpoint: LeafFingerprint]
    var sessions: [Endpoint: Liveness] = [:]
    var held: [Endpoint: HeldCheck] = [:]
    var lastHeldConnection = 0

    /// Events that the map does not know yet.
    var unsaid: [BotMapEvent] = []
    private(set) var isReporting = false
    private(set) var wake: AsyncStream<Void>.Continuation?
    private var timer: ContinuousClock.Instant?

    /// Those who wait for what the next pass of ``work(_:_:)`` may bring.
    var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastWatcher = 0
    private var networksRead: ContinuousClock.Instant?
    private var neighboursRead: ContinuousClock.Instant?

    /// Makes a scanner. Nothing happens before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: What is asked, and how often.
    ///   - browser: What it finds the services with. It is run by ``run()``; one that runs already is only listened to.
    ///   - constellation: What it tells; others may tell it too. One of its own unless there is one.
    ///   - logger: Gets what happens underneath, at debug.
    public init(
        _ configuration: ScannerConfiguration = ScannerConfiguration(),
        browser: Browser,
        constellation: Constellation? = nil,
        logger: Logger? = nil
    ) {
        self.init(
            configuration,
            browser: browser,
            constellation: constellation,
            logger: logger,
            clock: ContinuousClock()
        )
    }

    /// Makes a scanner with a clock: what is due when goes by it, and the patience of a question by the continuous one.
    package init(
        _ configuration: ScannerConfiguration,
        browser: Browser,
        constellation: Constellation? = nil,
        logger: Logger? = nil,
        clock: any MonotonicClock
    ) {
        self.clock = clock
        self.configuration = configuration
        self.browser = browser
        self.constellation = constellation ?? Constellation(awaitsNews: configuration.watches)
        self.logger = logger
        self.state = ScanState(configuration)
        self.manualGateways = configuration.manualGateways
        self.pins = configuration.pins
    }

    /// Works until the task is cancelled or the service group shuts down. Then every connection is closed. What the
    /// constellation knows stays.
    ///
    /// One call at a time: a second one while the first runs returns at once.
    public func run() async {
        guard !isRunning else { return }
        isRunning = true
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.wake = wake
        if configuration.probes {
            do {
                // Before anything else takes the descriptors that they need.
                try GatewayLoops.prepare()
            } catch {
                // Whoever is asked is not asked, with that reason.
                logger?.warning("no event loops", metadata: ["error": "\(error)"])
            }
        }
        prepareState(now: clock.now)
        // The reader below may come before the browser runs again.
        browser.prepare()
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.browser.run() }
                group.addTask { for await change in self.browser.changes { await self.take(change) } }
                await self.work(wakes, &group)
                group.cancelAll()
            }
        }
        self.wake = nil
        timer = nil
        isReporting = false
        held = [:]
        await reportWhatUsersSaid()
        for instance in state.protected { browser.protect(instance, false) }
        isRunning = false
        endPass()
        latest.finish()
        latest.restart(state.progress)
    }

    /// Asks everything again, at once.
    public func scan() {
        state.askAll(now: clock.now)
        wake?.yield()
    }

    private func prepareState(now: ContinuousClock.Instant) {
        state = ScanState(configuration)
        state.pins = pins
        readNetworks(now: now)
        for gateway in manualGateways { state.add(gateway, now: now) }
        for (endpoint, word) in sessions { state.hear(session: word, of: endpoint, roundTrip: nil, now: now) }
    }

    /// The progress of the scan.
    public var progress: ScanProgress { state.progress }

    /// The progress of the scan, now and whenever it changes. A reader that is slow finds the latest. Ends with
    /// ``run()``.
    public nonisolated var progresses: some AsyncSequence<ScanProgress, Never> & Sendable { latest.stream(limit: 1) }

    /// Changes what is asked, if anything is now.
    func change(_ body: (inout ScanState, ContinuousClock.Instant) -> Void) {
        guard isRunning else { return }
        body(&state, clock.now)
        wake?.yield()
    }

    // MARK: Events

    private func take(_ change: ServiceChange) {
        let now = clock.now
        // Interfaces come and go with their services.
        if networksRead.map({ now - $0 > .seconds(1) }) ?? true { readNetworks(now: now) }
        state.apply(change, now: now)
        wake?.yield()
    }

    private func readNetworks(now: ContinuousClock.Instant) {
        guard configuration.probes else { return }
        let neighbours = state.networks.neighbours
        state.networks = HostNetworks.current
        state.networks.neighbours = neighbours
        networksRead = now
    }

    private func ended(_ job: ProbeJob, _ report: GatewayProbeReport) {
        logger?.debug(
            "probed",
            metadata: [
                "endpoint": "\(job.endpoint)",
                "verdict": "\(report.verdict.summary)",
                "elapsed": "\(report.elapsed)",
            ]
        )
        metrics.note(report)
        let now = clock.now
        if report.path != nil { readNeighbours(for: job.endpoint, now: now) }
        state.ended(job.id, report: report, now: now)
        wake?.yield()
    }

    /// Reads the kernel's table for somebody who has just answered, and is in it by now.
    private func readNeighbours(for endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard state.networks.machine(of: endpoint.address) == nil,
            neighboursRead.map({ now - $0 > Self.neighbourPause }) ?? true
        else { return }
        neighboursRead = now
        state.networks.neighbours = NeighbourTable.current
    }

    private func hostReported(_ address: IPAddress, _ services: [HostService]) {
        state.hostReported(address, services, now: clock.now)
        wake?.yield()
    }

    private func hostEnded(_ address: IPAddress) {
        state.hostEnded(address)
        wake?.yield()
    }

    // MARK: Work

    private func work(_ wakes: AsyncStream<Void>, _ group: inout DiscardingTaskGroup) async {
        wake?.yield()
        for await _ in wakes {
            for action in state.take(now: clock.now) { perform(action, &group) }
            isReporting = true
            while !unsaid.isEmpty {
                var events: [BotMapEvent] = []
                swap(&events, &unsaid)
                let changes = await constellation.apply(events)
                state.learn(changes, now: clock.now)
            }
            isReporting = false
            if !state.actions.isEmpty { wake?.yield() }
            let progress = progress
            if progress != latest.value { latest.send(progress) }
            setTimer(&group)
            endPass()
        }
    }

    /// Tells those who wait for something that it may have come.
    private func endPass() {
        for watcher in watchers.values { watcher.yield() }
    }

    /// Wakes up when something is due. One that is set too early only looks once more.
    private func setTimer(_ group: inout DiscardingTaskGroup) {
        guard let next = state.next else { return }
        if let timer, timer <= next { return }
        timer = next
        group.addTask { [clock] in
            guard (try? await clock.sleep(until: next, tolerance: nil)) != nil else { return }
            await self.ring(next)
        }
    }

    private func ring(_ time: ContinuousClock.Instant) {
        if timer == time { timer = nil }
        wake?.yield()
    }

    private func perform(_ action: ScanAction, _ group: inout DiscardingTaskGroup) {
        switch action {
        case .emit(let event):
            unsaid.append(event)
        case .probe(let job):
            let (probe, deadline) = (GatewayProbe(configuration.probe), state.deadline)
            group.addTask { await self.ended(job, probe.run(job.question, deadline: deadline)) }
        case .check(let job) where job.isHeld:
            ask(job, &group)
        case .check(let job):
            group.addTask { await self.ended(job, job.livenessCheck.ask()) }
        case .askHost(let address, let types):
            logger?.debug("host asked", metadata: ["address": "\(address)"])
            group.addTask {
                await HostInquiry(address, types: types).run { await self.hostReported(address, $0) }
                await self.hostEnded(address)
            }
        case .reconfirm(let instance):
            logger?.debug("reconfirmed", metadata: ["service": "\(instance)"])
            browser.reconfirm(instance)
        case .protect(let instance, let isProtected):
            browser.protect(instance, isProtected)
        case .releaseConnection(let endpoint):
            held.removeValue(forKey: endpoint)?.checks.finish()
        }
    }
}
