internal import DNSSD
internal import Discovery
internal import GatewayProtocol
internal import Logging
package import Pairing
internal import Scanning

/// The part that looks for gateways, and asks them whether they answer.
final class ScannerPart: Sendable {
    private let configuration: AgentConfiguration
    private let constellation: Constellation
    private let store: StorePart
    private let settings: Broadcast<Settings>
    private let logger: Logger?
    private let running = Broadcast<GatewayScanner?>(nil)
    private let watchers = Watchers()

    /// The endpoints of this host at which gateways may be, as its sockets say.
    let foundHere = Broadcast<Set<Endpoint>>([])

    /// The places to which the gateways lead that the settings name, as far as they are known.
    let named = Broadcast<[ProbeAddress: Set<Endpoint>]>([:])

    init(
        _ configuration: AgentConfiguration,
        _ constellation: Constellation,
        _ store: StorePart,
        _ settings: Broadcast<Settings>,
        _ logger: Logger?
    ) {
        self.configuration = configuration
        self.constellation = constellation
        self.store = store
        self.settings = settings
        self.logger = logger
    }

    /// The scanner; `nil` while none runs.
    var scanner: GatewayScanner? { running.value }

    /// The scanner, now and whenever another one runs.
    var scanners: some AsyncSequence<GatewayScanner?, Never> & Sendable { running.stream(limit: 1) }

    /// Takes in that more or fewer watch the gateways.
    func changeWatchers(by difference: Int) async {
        watchers.change(by: difference)
        await watchers.tell { await scanner?.setWatched($0) }
    }

    /// Scans until the task is cancelled.
    func run(_ reporter: PartReporter) async throws {
        // Those of the start of the agent: what was found by others stays as long as it answers.
        let (types, interfaces) = (configuration.userSettings.types.value, configuration.userSettings.interfaces.value)
        let browser = Browser(
            BrowserConfiguration(
                types: types.isEmpty ? ServiceType.gatewayTypes : types,
                interfaces: Set(interfaces)
            ),
            backend: try Backends.make(
                configuration.backend,
                wideArea: configuration.userSettings.wideArea,
                logger: logger
            )
        )
        let scanner = GatewayScanner(
            ScannerConfiguration(isWatched: watchers.areThere),
            browser: browser,
            constellation: constellation,
            logger: logger
        )
        let asked = AskedGateways(scanner)
        running.send(scanner)
        defer { running.send(nil) }
        await watchers.tell { await scanner.setWatched($0) }
        try await withThrowingDiscardingTaskGroup { group in
            let wanted = Broadcast<[ProbeAddress: Set<Endpoint>]>([:])
            let paired = Broadcast<[ProbeAddress: Set<Endpoint>]>([:])
            group.addTask {
                for await latest in self.settings.stream(limit: 1) {
                    let names = Set(latest.gateways.value).map { ($0, Set<Endpoint>()) }
                    wanted.update { Dictionary(uniqueKeysWithValues: names) }
                }
            }
            group.addTask {
                let named = self.named
                // Those of an earlier run stay until there are others.
                let names = NamedGateways(asked, .settings, self.constellation, self.logger) { found in
                    named.send(named.value.merging(found) { $1 })
                }
                await names.follow(wanted)
            }
            group.addTask { await NamedGateways(asked, .names, self.constellation, self.logger).follow(paired) }
            group.addTask { await self.followPairings(asked, names: paired) }
            group.addTask {
                let show: @Sendable (Set<Endpoint>) -> Void = { found in self.foundHere.update { found } }
                let isWanted: @Sendable (Settings) -> Bool = { $0.findsOnThisHost }
                let places = FoundPlaces(
                    asked,
                    .thisHost,
                    every: .seconds(30),
                    self.logger,
                    show: show,
                    isWanted: isWanted
                ) { _ in await PlaceList.ofThisHost }
                await places.follow(self.settings)
            }
            group.addTask {
                let isWanted: @Sendable (Settings) -> Bool = { $0.tailnet.value != nil }
                let places = FoundPlaces(asked, .tailnet, every: .seconds(60), self.logger, isWanted: isWanted) {
                    await PlaceList.ofTailnet($0.tailnet.value ?? [])
                }
                await places.follow(self.settings)
            }
            group.addTask {
                for await condition in browser.conditions {
                    let excess = condition.warnings.filter { [.zonesTooLarge, .tooManyDomains].contains($0.code) }
                    Self.report(condition.status, except: condition.troubles + excess.map(\.message), to: reporter)
                }
            }
            try await scanner.run()
            group.cancelAll()
        }
    }

    /// Has the places of what is paired asked, as long as it is.
    ///
    /// - Parameter names: Gets the host names among them.
    private func followPairings(_ asked: AskedGateways, names: Broadcast<[ProbeAddress: Set<Endpoint>]>) async {
        for await store in store.stores {
            guard let store else { continue }
            var changes = await store.changes.begin()
            var found: [StoredPairing]?
            repeat {
                found = try? await store.perform { store throws(StoreError) in
                    try store.pairings() + store.unawarePairings()
                }
                if let found {
                    await asked.set(Set(found.flatMap(\.manualGateways)), of: .pairings)
                    names.update { found.reduce(into: [:]) { $0.merge($1.hostNames) { $0.union($1) } } }
                }
            } while await changes.next(ifRead: found != nil) != nil
        }
    }

    /// Reports whether the network can be browsed.
    ///
    /// - Parameter doubts: What cannot be browsed beside it, as sentences.
    static func report(_ status: BackendStatus, except doubts: [String] = [], to reporter: PartReporter) {
        switch status {
        case .starting: return
        case .running: reporter.works(except: doubts.isEmpty ? nil : doubts.joined(separator: "; "))
        case .unavailable(let error): reporter.isImpaired(error.message)
        }
    }
}

extension PairingStore {
    /// The pairings in the bin whose gateways do not know yet that they have ended, and can be told.
    package func unawarePairings() throws(StoreError) -> [StoredPairing] {
        try bin().filter { $0.reason == .unpaired(withdrawnThere: false) }.map(\.pairing)
            .filter { $0.dialect.letsDevicesLeave }
    }
}
