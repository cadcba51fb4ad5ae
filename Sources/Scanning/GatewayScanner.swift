package import DNSSD
public import Discovery
internal import GatewayClient
internal import GatewayProtocol
internal import HostSystem
package import Logging
public import ServiceLifecycle

/// A scanner that finds out which gateways are present, what they are, and whether they answer: it browses, asks each
/// gateway what it is and which bots it has, checks again and again whether it answers, and reports to a
/// ``Constellation``.
///
/// Presence and liveness are two facts: records in DNS-SD are a reason to ask, and answers alone decide (see
/// ``Liveness``). No secret is sent. A forger cannot aim it at a victim: at most 32 probes run at once, 8 of them at
/// one address, and no address sees more than 60 connections a minute because of records that anybody may have made up
/// (see ``ProbeBudget``).
///
/// It is safe inside any program: it catches no signal, prints nothing, starts no task before ``run()`` and leaves nothing
/// behind when that returns. Everything that it learns comes from the network and is untrusted.
///
/// ## Usage
///
/// ```swift
/// let scanner = try GatewayScanner()
/// await withThrowingTaskGroup(of: Void.self) { group in
///     group.addTask { try await scanner.run() }
///     for await update in scanner.constellation.updates {
///         print(update)
///     }
/// }
/// ```
public actor GatewayScanner: Service {
    /// The minimum time between two readings of the kernel's neighbour table, however many neighbours answer.
    private static let neighbourPause = Duration.milliseconds(250)

    /// The browser that finds the services.
    public nonisolated let browser: Browser

    /// The constellation to which the scanner reports.
    public nonisolated let constellation: Constellation

    /// Indicates whether the sequences of the constellation end with ``run()``: if it is the scanner's own.
    package nonisolated let endsConstellation: Bool

    package nonisolated let configuration: ScannerConfiguration
    let clock: any MonotonicClock
    let metrics = ScannerMetrics()
    private let logger: Logger?
    private let latest = Broadcast(ScanProgress())

    var state: ScanState
    private let once = RunOnce(GatewayScanner.self)
    private(set) var isRunning = false

    /// The gateways that the user enters before the run.
    var manualGateways: [ManualGateway]

    /// The gateways to which the addresses led that were added by ``add(_:within:)``.
    var entered: [ProbeAddress: [ManualGateway]] = [:]

    /// The number of the last look-up of each address that is added: what an earlier one finds counts no more.
    var lookups: [ProbeAddress: Int] = [:]
    var lookupCount = 0

    /// The reports of others about endpoints.
    var noticed = NoticedEndpoints()

    /// The connections that are held.
    var held = HeldChecks()

    /// The reports that have yet to be made to the map.
    private(set) var reports = PendingReports()
    private(set) var wake: AsyncStream<Void>.Continuation?
    private var timer: ContinuousClock.Instant?

    /// The callers that wait for the result of the next pass of ``work(_:_:)``.
    var watchers = PassWatchers()

    /// The times at which the networks and the neighbours of this host were read last.
    private var read: (networks: ContinuousClock.Instant?, neighbours: ContinuousClock.Instant?)

    /// Makes a scanner. Nothing happens before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: The settings of what is asked, and how often.
    ///   - browser: The browser that finds the services. It is run by ``run()``; if it is running already, the scanner
    ///     only listens to it.
    ///   - constellation: The constellation to which it reports; others may report to it too. By default, one of its
    ///     own, whose sequences end with ``run()``.
    ///   - logger: The logger for details, most of them at level debug.
    package init(
        _ configuration: ScannerConfiguration = ScannerConfiguration(),
        browser: Browser,
        constellation: Constellation? = nil,
        logger: Logger? = nil
    ) {
        self.init(
            configuration,
            browser: browser,
            constellation: constellation,
            endsConstellation: false,
            logger: logger
        )
    }

    /// Makes a scanner with a clock, which decides when something is due; the time-outs of probes and checks follow the
    /// continuous clock; and with a constellation whose sequences end with ``run()``, if it was made for this scanner alone.
    package init(
        _ configuration: ScannerConfiguration,
        browser: Browser,
        constellation: Constellation? = nil,
        endsConstellation: Bool = false,
        logger: Logger? = nil,
        clock: any MonotonicClock = ContinuousClock()
    ) {
        self.clock = clock
        self.endsConstellation = endsConstellation || constellation == nil
        self.configuration = configuration
        self.browser = browser
        self.constellation = constellation ?? Constellation(asksRepeatedly: configuration.watches)
        self.logger = logger
        self.state = ScanState(configuration)
        self.state.pins = configuration.pins
        self.manualGateways = configuration.manualGateways
    }

    /// Scans until the task is cancelled or the service group shuts down. Then every connection is closed, and the sequences
    /// of its own constellation end. The constellation keeps what it knows; one that was given to the scanner goes on, since
    /// others may report to it.
    ///
    /// - Throws: An error if it was called before.
    public func run() async throws {
        try once.begin()
        isRunning = true
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.wake = wake
        if configuration.probes {
            do {
                // Before anything else takes the descriptors that they need.
                try GatewayLoops.prepare()
            } catch {
                // Nothing can be asked then, and the outcome of each probe says so.
                logger?.warning("no event loops", metadata: ["error": "\(error)"])
            }
        }
        let now = clock.now
        readNetworks(now: now)
        for gateway in manualGateways { state.add(gateway, now: now) }
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                // It may run already.
                group.addTask { try? await self.browser.run() }
                group.addTask { for await change in self.browser.changes { await self.take(change) } }
                group.addTask { for await notice in self.constellation.endpointNotices { await self.take(notice) } }
                group.addTask { for await condition in self.browser.conditions { await self.report(condition) } }
                await self.work(wakes, &group)
                group.cancelAll()
            }
        }
        self.wake = nil
        timer = nil
        reports.end()
        held.letGoOfAll()
        await report(browser.condition)
        for instance in state.services.protected { browser.protect(instance, false) }
        isRunning = false
        endPass()
        latest.finish()
        if endsConstellation { await constellation.finish() }
    }

    /// Asks every endpoint again, at once.
    public func scan() {
        state.askAll(now: clock.now)
        wake?.yield()
    }

    /// The progress of the scan.
    package var progress: ScanProgress { state.progress }

    /// The progress of the scan, now and whenever it changes. A slow reader gets the latest one. The sequence ends with
    /// ``run()``.
    package nonisolated var progresses: some AsyncSequence<ScanProgress, Never> & Sendable { latest.stream(limit: 1) }

    /// Changes the state, if the scanner is running.
    func change(_ body: (inout ScanState, ContinuousClock.Instant) -> Void) {
        guard isRunning else { return }
        body(&state, clock.now)
        wake?.yield()
    }

    // MARK: Events

    private func take(_ change: ServiceChange) {
        let now = clock.now
        // Interfaces come and go with their services.
        if read.networks.map({ now - $0 > .seconds(1) }) ?? true { readNetworks(now: now) }
        state.apply(change, now: now)
        wake?.yield()
    }

    private func readNetworks(now: ContinuousClock.Instant) {
        guard configuration.probes else { return }
        let neighbours = state.networks.neighbours
        state.networks = HostNetworks.current
        state.networks.neighbours = neighbours
        read.networks = now
    }

    private func ended(_ job: ProbeJob, _ report: GatewayProbeReport) {
        logger?.debug(
            "probed",
            metadata: [
                "endpoint": "\(job.endpoint)",
                "finding": "\(report.verdict.summary)",
                "elapsed": "\(report.elapsed)",
            ]
        )
        metrics.note(report)
        let now = clock.now
        if report.path != nil { readNeighbours(for: job.endpoint, now: now) }
        state.ended(job.id, report: report, now: now)
        noteAnswerTime(of: job.endpoint)
        wake?.yield()
    }

    /// Reads the kernel's neighbour table for an endpoint that has just answered, and is in the table by now; anew for one
    /// that has left a question unanswered before, since another machine may have its address by now.
    private func readNeighbours(for endpoint: Endpoint, now: ContinuousClock.Instant) {
        let isNew =
            state.networks.machine(of: endpoint.address) == nil
            && read.neighbours.map({ now - $0 > Self.neighbourPause }) ?? true
        guard isNew || state.isReturning(endpoint) else { return }
        read.neighbours = now
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
            while let (events, silences) = reports.take() {
                let reply = await constellation.report(events, silent: silences)
                state.gatewayCount = reply.gatewayCount
                state.serve(reply.demands, now: clock.now)
            }
            // What the map demands is asked at once.
            let isDue = state.next.map { $0 <= clock.now } ?? false
            if isDue || !state.actions.isEmpty { wake?.yield() }
            let progress = progress
            if progress != latest.value { latest.send(progress) }
            setTimer(&group)
            endPass()
        }
    }

    /// Wakes the callers that wait for a condition, since it may hold now.
    private func endPass() { watchers.wake() }

    /// Sets a timer for the next time at which something is due. A timer that ends too early only leads to one more
    /// look.
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
            reports.add(event)
        case .reportSilence(let endpoint):
            reports.add(silenceOf: endpoint)
        case .probe(let job):
            let (probe, deadline) = (GatewayProbe(configuration.probe), state.deadline)
            group.addTask { await self.ended(job, probe.run(job.question, deadline: deadline)) }
        case .askReadiness(let job):
            let deadline = state.deadline
            group.addTask {
                let (result, connections) = await job.check.ask(deadline: deadline)
                await self.ended(job, result, connections: connections)
            }
        case .check(let job) where job.isHeld:
            ask(job, &group)
        case .check(let job):
            group.addTask { await self.ended(job, job.livenessCheck.ask()) }
        case .askHost(let address, let types):
            logger?.debug("host asked", metadata: ["address": "\(address)"])
            group.addTask {
                await HostServicesLookup(address, types: types).run { await self.hostReported(address, $0) }
                await self.hostEnded(address)
            }
        case .reconfirm(let instance):
            logger?.debug("reconfirmed", metadata: ["service": "\(instance)"])
            browser.reconfirm(instance)
        case .protect(let instance, let isProtected):
            browser.protect(instance, isProtected)
        case .releaseConnection(let endpoint):
            held.letGo(of: endpoint)
        }
    }
}
