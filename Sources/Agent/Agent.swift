internal import DNSSD
internal import Discovery
internal import GatewayProtocol
internal import HostSystem
public import Logging
public import Pairing
package import Reports
public import Scanning
public import ServiceLifecycle

/// A background scanner: it looks for gateways, keeps the sessions with those that are paired, and advertises those of
/// this host, all on one ``/Scanning/Constellation``, for as long as it runs.
///
/// Each of these is a *part* with a state of its own. A part that fails is a state with a reason, and runs again some time
/// later, while the others go on. One agent runs for each user.
///
/// It catches no signal and prints nothing; it tells the service manager that has started this process how it does.
///
/// ## Usage
///
/// ```swift
/// let agent = Agent(AgentConfiguration(version: "1.0", environment: ProcessInfo.processInfo.environment))
/// try await runUntilSignal(agent) {
///     for await gateways in agent.constellation.currentGateways { print(gateways.map(\.name)) }
/// }
/// ```
public final class Agent: Service {
    /// Everything that the agent knows.
    public let constellation = Constellation()

    /// The settings.
    public let configuration: AgentConfiguration

    /// The time at which the agent was made.
    package let start = Timestamp.now

    private let logger: Logger?
    private let settings: Broadcast<Settings>

    /// The parts that the settings and the page ask for.
    private let wanted: Broadcast<[SettingPart]>

    /// The advertisers of gateways of this host that nobody else advertises.
    private let found = Broadcast<[SettingPart]>([])

    /// The ways into the page.
    package let page: PageAccess
    private let keeper: PartKeeper
    private let sole: SoleAgent
    let storePart: StorePart
    private let scannerPart: ScannerPart
    let sessionsPart: SessionsPart
    let noticesPart: NoticesPart
    private let cloudPart: CloudBackupPart
    private let firstLook = FirstLook()

    /// The readings of the store that answers wait for.
    package let storeReadings = StoreReadings()

    /// The pairings that are begun by this agent.
    package let openPairings = OpenPairings()
    private let once = RunOnce(Agent.self)

    /// Makes an agent. It does nothing before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: The settings.
    ///   - logger: Receives each change of the state of a part, and details at level debug.
    public init(_ configuration: AgentConfiguration, logger: Logger? = nil) {
        self.configuration = configuration
        self.logger = logger
        settings = Broadcast(configuration.userSettings)
        wanted = Broadcast(SettingPart.all(in: configuration.userSettings))
        page = PageAccess(folder: configuration.place.folder)
        keeper = PartKeeper(logger: logger)
        sole = SoleAgent(configuration.place, configuration.store)
        storePart = StorePart(configuration.store, sole)
        scannerPart = ScannerPart(configuration, constellation, storePart, settings, logger)
        sessionsPart = SessionsPart(configuration, constellation, storePart, logger)
        cloudPart = CloudBackupPart(storePart, logger)
        let (scannerPart, sessionsPart) = (scannerPart, sessionsPart)
        noticesPart = NoticesPart(
            configuration,
            constellation,
            storePart,
            settings,
            named: scannerPart.named,
            logger
        ) { difference in
            await scannerPart.changeWatchers(by: difference)
            await sessionsPart.changeWatchers(by: difference)
        }
    }

    /// The states of the parts: what an agent does, it does in parts that fail each alone.
    public var parts: [AgentPartState] { keeper.states }

    /// The number of the process.
    package var process: Int32 { FileLock.process }

    /// The store of pairings, as the agent has it open; `nil` while it has not.
    public var store: PairingStore? { storePart.store }

    /// The scanner; `nil` while none runs.
    package var scanner: GatewayScanner? { scannerPart.scanner }

    /// The history of gateways; `nil` while it is not open.
    package var history: NoticeStore? { noticesPart.history }

    /// Makes the folder of the socket anew if it is gone, with the right to be the one agent there.
    ///
    /// - Throws: ``AgentError`` if the folder cannot be used, or another agent has taken it meanwhile.
    package func renewPlace() throws(AgentError) { try sole.renewPlace() }

    /// The memory of the gateways that are watched, by their keys; `nil` while that is not known.
    package var watchedGateways: [String: GatewayMemory]? { get async { await noticesPart.journal?.gateways } }

    /// Puts other settings in force: what they name in addition begins, what they do not name any more ends, and the rest
    /// goes on.
    public func take(_ new: AgentSettings) { take(settings.value.with(new)) }

    /// Puts other settings in force, with those that only the tool has.
    package func take(_ new: Settings) {
        let former = settings.value
        guard former != new else { return }
        settings.send(new)
        renewParts()
        logger?.info("settings: \(new.names(changedSince: former).joined(separator: ", ")) taken up")
    }

    /// The names by which browsers reach the page, besides those that every host has.
    package var pageNames: [String] { settings.value.pageNames.value }

    /// Has the page answered at a port from now on.
    ///
    /// - Returns: The port; `nil` if it was not answered there at the deadline.
    func servePage(until deadline: ContinuousClock.Instant) async -> UInt16? {
        page.want()
        renewParts()
        return await page.port.first(until: deadline) { $0 != nil } ?? nil
    }

    private func renewParts() {
        wanted.update { SettingPart.all(in: settings.value, hasPage: page.isWanted, found: found.value) }
    }

    /// Waits until what is there has been found and asked, and the sessions have been tried, for the first time since the
    /// start of the agent.
    ///
    /// - Parameter deadline: The latest time at which to return.
    package func waitForFirstLook(until deadline: ContinuousClock.Instant) async {
        await firstLook.wait(until: deadline)
    }

    /// Takes in that one more watches what the agent shows, so that gateways are asked more often.
    package func beginWatching() async { await changeWatchers(by: 1) }

    /// Takes in that one watches no more.
    package func endWatching() async { await changeWatchers(by: -1) }

    private func changeWatchers(by difference: Int) async {
        await scannerPart.changeWatchers(by: difference)
        await sessionsPart.changeWatchers(by: difference)
    }

    /// Runs until the task is cancelled or the service group shuts down.
    ///
    /// - Throws: ``AgentError`` when another agent of this user runs, or there is no place for its socket; an
    ///   error if it was called before.
    public func run() async throws { try await run(with: []) }

    /// Runs with further parts, such as one that answers questions about the agent.
    package func run(with more: [AgentPart]) async throws { try await run(with: more) { _ in nil } }

    /// Runs with further parts, and with those that the settings ask for.
    ///
    /// - Parameter make: Makes such a part; `nil` for one that the agent makes itself.
    package func run(
        with more: [AgentPart],
        _ make: @escaping @Sendable (SettingPart) -> AgentPart?
    ) async throws {
        try once.begin()
        defer { sessionsPart.finish() }
        try sole.takePlace()
        defer { sole.release() }
        try sole.takeStore()
        page.resume()
        renewParts()
        let manager = ServiceManager(environment: configuration.environment)
        let parts =
            [
                AgentPart("store") { try await self.storePart.run($0) },
                AgentPart("scanner") { try await self.scannerPart.run($0) },
                AgentPart("sessions") { try await self.sessionsPart.run($0) },
                AgentPart("notices") { try await self.noticesPart.run($0) },
                AgentPart("cloud") { try await self.cloudPart.run($0) },
                ClockPart.part,
            ] + more
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                if let manager {
                    group.addTask { await self.tell(manager) }
                    if let interval = manager.watchdogInterval {
                        let watchdog = Watchdog(self.subjects, interval: interval) { manager.tell("WATCHDOG=1") }
                        group.addTask { await watchdog.run() }
                    }
                }
                group.addTask { await self.openPairings.run() }
                group.addTask { await self.firstLook.run(self.scannerPart, self.sessionsPart) }
                let wanted = self.wanted.stream(limit: 1).map { parts in
                    parts.filter { self.part($0) != nil || make($0) != nil }
                }
                await self.keeper.run(parts, and: wanted) { part in
                    self.part(part) ?? make(part) ?? AgentPart("nothing") { _ in }
                }
                group.cancelAll()
            }
        }
        manager?.tell("STOPPING=1")
        await constellation.finish()
    }

    /// The sessions that this device cannot have at present, for a reason of its own. Often that is why there is no lock
    /// either, in whose file other processes would read it.
    package var failedSessions: [CredentialID: HeldSession] {
        get async {
            let now = ContinuousClock.now
            var failed: [CredentialID: HeldSession] = [:]
            for session in await sessionsPart.connections?.sessions ?? [] {
                guard case .failed = session.detail else { continue }
                let since = Timestamp.now.milliseconds - Int((now - session.since) / .milliseconds(1))
                failed[session.id] = HeldSession(
                    holder: LockHolder(process: process, program: "clawradar agent"),
                    note: session.note(at: since, now: now)
                )
            }
            return failed
        }
    }

    /// Begins a pairing with a gateway.
    ///
    /// - Parameter store: The store that gets it.
    /// - Returns: The pairing; `nil` if there are too many.
    package func beginPairing(_ new: NewPairing, in store: PairingStore) -> OpenPairing? {
        openPairings.begin(new, openPairings.pairer(store, constellation, version: configuration.version))
    }

    /// Makes a part that the settings ask for; `nil` for one that others make.
    private func part(_ wanted: SettingPart) -> AgentPart? {
        switch wanted {
        case .advertiser(let gateway): advertiser(of: gateway)
        case .foundAdvertiser(let gateway, on: let interfaces): advertiser(of: gateway, on: interfaces)
        case .unadvertised:
            AgentPart("gateways of this host") { reporter in
                let part = UnadvertisedPart(
                    constellation: self.constellation,
                    settings: self.settings,
                    foundHere: self.scannerPart.foundHere
                ) { found in
                    guard found != self.found.value else { return }
                    self.found.send(found)
                    self.renewParts()
                }
                await part.run(reporter)
            }
        case .site(let site):
            AgentPart("site \(site.zone.domain)") { reporter in
                let part = SitePart(
                    site: site,
                    publisher: self.publisher,
                    constellation: self.constellation,
                    changeWatchers: self.changeWatchers
                )
                try await part.run(reporter)
            }
        case .port, .page, .metricsFile: nil
        }
    }

    private func advertiser(of gateway: AdvertisedGateway, on interfaces: Set<String> = []) -> AgentPart {
        let part = AdvertiserPart(
            gateway: gateway,
            interfaces: interfaces,
            backend: configuration.backend,
            publisher: publisher,
            logger: logger
        )
        let place = gateway.zone.map { " in \($0.domain)" } ?? ""
        return AgentPart("advertiser of \(gateway.address)\(place)") { try await part.run($0) }
    }

    /// That which publishes in zones.
    private var publisher: ZonePublishing { ZonePublishing(environment: configuration.environment, logger: logger) }

    /// The things that must never hang. A part that does not run at the moment has nothing that could.
    private var subjects: [Watchdog.Subject] {
        [
            Watchdog.Subject(name: "scanner") { await self.scannerPart.scanner?.pass() },
            Watchdog.Subject(name: "map") { _ = await self.constellation.bots.count },
            Watchdog.Subject(name: "sessions") { await self.sessionsPart.connections?.pass() },
        ]
    }

    /// Tells the service manager when every part has begun, and what does not work.
    private func tell(_ manager: ServiceManager) async {
        var isReady = false
        for await states in keeper.changes {
            guard !states.isEmpty, states.allSatisfy({ $0.state.word != .starting }) || isReady else { continue }
            let troubles = states.filter { $0.state.reason != nil }
                .map { "\($0.name): \(DisplayText($0.state.reason ?? "", limit: 120))" }
            let status = troubles.isEmpty ? "all parts work" : troubles.joined(separator: "; ")
            if isReady { manager.tell("STATUS=\(status)") } else { manager.tell("READY=1", "STATUS=\(status)") }
            isReady = true
        }
    }
}
