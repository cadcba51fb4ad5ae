internal import Agent
internal import Console
internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// The inquiry of `clawradar doctor`: gathers what probes, records, the store and this host know of one gateway.
struct DoctorInquiry: Sendable {
    let subject: ProbeSubject
    let timeout: TimeLimit
    let common: CommonOptions
    let progress: ProgressLine?

    let agent: AgentOption

    /// Indicates whether an agent looks for the same, and in the same way.
    let isUsual: Bool

    /// The text that was typed, for a search among names.
    private var text: String {
        switch subject {
        case .address(let address): "\(address)"
        case .host(let text), .name(let text): text
        }
    }

    /// The name that was typed; `nil` for an address.
    private var name: String? {
        if case .name(let name) = subject { name } else { nil }
    }

    /// Makes the diagnosis: the agent of this user, if it knows the gateway by this name, and otherwise this process.
    func diagnosis() async throws -> DiagnosisReport {
        switch try await ask() {
        case .report(let report): return report
        case .nothing: return DiagnosisReport(Diagnosis(try await facts(agent)))
        case .silence: return DiagnosisReport(Diagnosis(try await facts(nil)))
        }
    }

    /// Gathers the facts.
    ///
    /// - Parameter agent: The agent that may know of a request that waits; `nil` if it could not be asked.
    private func facts(_ agent: AgentOption?) async throws -> DiagnosisFacts {
        let start = ContinuousClock.now
        let store = try StoreAccess.openExisting()
        let (pairings, bin) = try CommandFailure.translating { () throws(StoreError) in
            (try store?.pairings() ?? [], try store?.bin() ?? [])
        }
        let limit = timeout.half.duration
        let named = try PairedName.pairing(text, among: pairings)
        let settings = try GatewayOption.configured()
        async let configured = ManualGateways(settings, within: limit / 2)
        let typed = await ManualGateways(subject.addresses, within: limit / 2)
        let known = named ?? Self.pairing(at: typed.gateways.flatMap(\.endpoints), among: pairings)
        let outside = await ManualGateways(
            [known?.remoteURL.flatMap { try? ProbeAddress($0) }].compactMap(\.self),
            within: limit / 2
        )
        let manual = await typed.gateways + outside.gateways + configured.gateways + pairings.flatMap(\.manualGateways)
        var configuration = ScannerConfiguration(manualGateways: manual, watches: false)
        configuration.probe.duration = GatewayProbeConfiguration.duration(within: limit)
        let scanner = try common.makeScanner(configuration, logger: common.logger)
        return try await PairedOverlay(store: store, pairings: pairings).laid(over: scanner.constellation) {
            let scan = Scan(source: NetworkSource(scanner: scanner), timeout: limit, start: start)
            let (snapshot, result) = try await scan.run(printer: nil, progress: progress)
            try Self.checkForEnd()
            for warning in result.warnings { Notes.warning(warning) }
            if let trouble = result.trouble { Notes.warning("this may not be all: \(trouble.message)") }
            let paired = PairedGateways(of: pairings)
            let row = try row(
                of: known.flatMap { paired.row(of: $0.id) },
                typed.gateways.flatMap(\.endpoints),
                in: snapshot
            )
            // The name that it is advertised under may be another one than it was stored under.
            let pairing = known ?? row.flatMap { paired.pairing(of: $0) }
            let scene = DoctorScene(
                rows: snapshot.gateways + snapshot.others,
                row: row,
                pairing: pairing,
                typed: typed.gateways.flatMap(\.endpoints),
                outside: outside.gateways.flatMap(\.endpoints),
                isHostAlone: { if case .host = subject { true } else { false } }()
            )
            let rest = max(start + timeout.duration - .now, .seconds(1))
            async let requests = agent.map { OpenRequests.ask($0) } ?? OpenRequests(.null)
            let ended = Self.revoked(text, bin, among: pairings)
            let radar = InProcessRadar(store, scanner.constellation, version: CommandLineTool.version, common.logger)
            var facts = await radar.facts(scene, typed: name, else: ended, demand: demand, within: rest)
            if name == nil, facts.pairing == nil { facts.word = ShellWord(text)?.description ?? row?.word }
            facts.absence = typed.problems.first
            if pairing == nil, row == nil { facts.suggestion = suggestion(snapshot, KnownNames.stored()) }
            facts.request = await requests.request(at: row?.id.description, facts.ways.map(\.endpoint))
            try Self.checkForEnd()
            return facts
        }
    }

    // MARK: The agent

    /// A diagnosis of the agent of this user, or the reason why there is none.
    enum Told: Hashable, Sendable {
        case report(DiagnosisReport)

        /// This process has to look for itself.
        case nothing

        /// None runs, or it cannot be asked, which was said then.
        case silence
    }

    /// Asks the agent of this user about a gateway that it knows.
    private func ask() async throws -> Told {
        // What is at an address that was typed is seen from here.
        guard isUsual, name != nil else { return .nothing }
        let nothing = InProcessRadar(nil, version: CommandLineTool.version)
        let radar = AgentOption.radar(else: nothing, asksAgent: !agent.noAgent)
        guard radar is AgentRadar else { return .silence }
        return try await ask(radar, try StoreAccess.radar()) {
            agent.scan(within: timeout.half) == nil ? nil : agent.look()?.rows
        }
    }

    /// Asks an agent about a gateway.
    ///
    /// - Parameters:
    ///   - local: The store.
    ///   - look: Returns the rows that the agent has once it has looked; `nil` if it has none.
    func ask(_ radar: any Radar, _ local: InProcessRadar, look: () -> [Gateway]?) async throws -> Told {
        let end = ContinuousClock.now + timeout.duration
        let pairings = try await local.pairings()
        // What its gateway has ended is known by its name alone.
        guard Self.revoked(text, try await local.bin(), among: pairings) == nil else { return .nothing }
        guard let rows = look() else { return .silence }
        let pairing = try PairedName.pairing(text, among: pairings)
        let row = try pairing == nil ? row(of: nil, [], in: NetworkSnapshot(rows: rows, services: [])) : nil
        guard let gateway = pairing?.id.description ?? row?.id.description else { return .nothing }
        do throws(RadarError) {
            return .report(try await radar.diagnose(gateway, typed: name, within: max(end - .now, .seconds(1))))
        } catch {
            // It changes nothing, and can be done again.
            Notes.note("the agent has no diagnosis: \(error)")
            return .nothing
        }
    }

    private static func checkForEnd() throws(CommandFailure) {
        guard Signals.requestedAt == nil else { throw CommandFailure(.cancelled, "cancelled; nothing was found yet.") }
    }

    /// The transport that the scheme of a typed URL demands.
    private var demand: PlaceFacts.Demand? {
        guard case .address(let address) = subject else { return nil }
        return switch address.transports {
        case .tlsOnly: .tls
        case .plainOnly: .plain
        case .tlsFirst, .plainFirst: nil
        }
    }

    // MARK: The gateway that is meant

    /// Returns the one pairing that was verified at one of these endpoints.
    private static func pairing(at endpoints: [Endpoint], among pairings: [StoredPairing]) -> StoredPairing? {
        let found = pairings.filter { pairing in pairing.endpoints.contains { endpoints.contains($0) } }
        return found.count == 1 ? found[0] : nil
    }

    /// Returns the pairing that its gateway has ended, and that nothing has replaced since.
    private static func revoked(
        _ text: String,
        _ bin: [BinnedPairing],
        among pairings: [StoredPairing]
    ) -> PairedStatus? {
        let ended = PairedStatus.revoked(bin, besides: pairings)
        // Of what merely begins like this, nobody has asked.
        let found = NameSearch.wholeMatches(text, among: PairedName.gateways(ended.map(\.pairing)))
        let ids = Set(found.map(\.subject.pairing))
        return ended.filter { ids.contains($0.pairing.id) }.max { ($0.since ?? 0) < ($1.since ?? 0) }
    }

    /// Returns the row of the map that is meant; `nil` if there is none.
    private func row(
        of paired: GatewayID?,
        _ typed: [Endpoint],
        in snapshot: NetworkSnapshot
    ) throws(CommandFailure) -> Gateway? {
        let rows = snapshot.gateways + snapshot.others
        if let paired { return rows.first { $0.id == paired } }
        if !typed.isEmpty { return rows.first { row in row.paths.contains { typed.contains($0.endpoint) } } }
        for rows in [snapshot.gateways, snapshot.others] {
            let found = NameSearch.matches(text, among: PairingSubject.nameables(rows, onlyAnswered: false))
            let ids = Set(found.map(\.subject.gateway))
            guard ids.count <= 1 else { throw NameSearch.ambiguity(text, found) }
            if let row = rows.first(where: { ids.contains($0.id) }) { return row }
        }
        return nil
    }

    /// Returns the question whether another gateway was meant, as other verbs ask it; empty if no name is near.
    private func suggestion(_ snapshot: NetworkSnapshot, _ known: KnownNames) -> String {
        if case .address = subject { return "" }
        return Self.suggestion(text, among: snapshot.gateways + snapshot.others, known)
    }

    /// Returns the question whether a gateway on the network or a paired one was meant by a text that means none.
    static func suggestion(_ text: String, among rows: [Gateway], _ known: KnownNames) -> String {
        let onNetwork = NameSearch.suggestion(
            text,
            among: PairingSubject.nameables(rows, onlyAnswered: false, known: known)
        )
        guard onNetwork.isEmpty else { return onNetwork }
        return NameSearch.suggestion(text, among: PairedName.gateways(known.pairings) + PairedName.bots(known.pairings))
    }
}
