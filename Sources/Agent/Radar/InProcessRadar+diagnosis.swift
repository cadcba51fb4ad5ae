package import DNSSD
internal import GatewayClient
internal import GatewayProtocol
package import Pairing
package import Reports
package import Scanning

/// Diagnoses of gateways that cannot be used.
extension InProcessRadar {
    /// The maximum number of places that are asked a second time, for the steps of their answers.
    private static let mostProbes = 8

    package func diagnose(
        _ gateway: String,
        typed name: String?,
        within limit: Duration
    ) async throws(RadarError) -> DiagnosisReport {
        let end = ContinuousClock.now + limit
        let pairings = try await pairings()
        let snapshot = await constellation?.snapshot
        let all = snapshot?.gateways ?? []
        let paired = PairedGateways(of: pairings)
        let named = pairings.first { "\($0.id)" == gateway || $0.gatewayID == gateway }
        let id = named.flatMap { paired.row(of: $0.id) }
        let row = all.first { $0.id == id || $0.id.description == gateway }
        let pairing = named ?? row.flatMap { paired.pairing(of: $0) }
        guard row != nil || pairing != nil else { throw RadarError(.notFound, "there is no such gateway") }
        let remote = pairing?.remoteURL.flatMap { try? ProbeAddress($0) }
        let outside = await ManualGateways([remote].compactMap(\.self), within: limit / 4).gateways
        let scene = DoctorScene(rows: all, row: row, pairing: pairing, outside: outside.flatMap(\.endpoints))
        return DiagnosisReport(Diagnosis(await facts(scene, typed: name, within: max(.zero, end - .now))))
    }

    /// Gathers what probes, records, the store and this host know of one gateway.
    ///
    /// - Parameters:
    ///   - name: The name by which the user means it; `nil` for its own.
    ///   - ended: The state of a pairing with it that it has ended; `nil` if there is none.
    ///   - demand: The transport that was demanded at the typed endpoints.
    ///   - limit: The time that this may take.
    package func facts(
        _ scene: DoctorScene,
        typed name: String?,
        else ended: PairedStatus? = nil,
        demand: PlaceFacts.Demand? = nil,
        within limit: Duration
    ) async -> DiagnosisFacts {
        async let reports = Self.reports(scene, within: limit)
        async let sessions = learned(of: scene.pairing, within: limit)
        let row = scene.row
        let held = await sessions.all
        let status = scene.pairing.map { PairedStatus($0, row: row, sessions: held) } ?? ended
        var facts = DiagnosisFacts(word: nil, now: Timestamp.now.milliseconds)
        let word = row.map { $0.word(typed: name) } ?? name.flatMap { ShellWord(name: $0)?.description }
        facts.word = status?.pairing.word ?? word
        let host = HostFacts.current
        facts.places = await scene.places(reports, host, demand: demand)
        facts.isAdvertised = row?.discoveredServices.isEmpty == false
        facts.obstacles = row?.discoveredServices.compactMap(\.resolution.obstacle) ?? []
        facts.pairing = status
        facts.keyProblem = scene.pairing == nil ? nil : openStore?.keyProblem?.description
        facts.sessionProblem = await sessions.problem
        facts.hasNetwork = host.hasNetwork
        if row == nil { facts.isInTailnet = await TailnetService.system.isConnected }
        facts.isClaimedByOthers = row?.flags.contains(.sameFingerprint) == true
        facts.request = requests(row?.id, facts.ways.map(\.endpoint))
        facts.readiness = row?.readiness
        return facts
    }

    /// Asks the places again that have not answered, for the steps of their answers.
    private static func reports(_ scene: DoctorScene, within limit: Duration) async -> [Endpoint: GatewayProbeReport] {
        var configuration = GatewayProbeConfiguration()
        configuration.duration = GatewayProbeConfiguration.duration(within: limit)
        let deadline = ContinuousClock.now + limit
        return await withTaskGroup(of: (Endpoint, GatewayProbeReport).self) { [configuration] group in
            for target in scene.targets.prefix(mostProbes) {
                group.addTask {
                    (target.endpoints[0], await GatewayProbe(configuration).run(target, deadline: deadline))
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    /// The sessions of a pairing: those that processes have, or those that were tried.
    private struct LearnedSessions: Sendable {
        var all: [HeldSession] = []

        /// The reason why no session came about where one was tried.
        var problem: String?
    }

    /// Reads what the sessions say that processes have, or opens one if there is none.
    private func learned(of pairing: StoredPairing?, within limit: Duration) async -> LearnedSessions {
        guard let pairing, let store = openStore else { return LearnedSessions() }
        let held = store.heldSessions(of: pairing.credentials.map(\.id))
        guard held.isEmpty, store.keyProblem == nil, pairing.connectsAutomatically else {
            return LearnedSessions(all: Array(held.values))
        }
        let trial = SessionTrial(
            store: store,
            constellation: constellation ?? Constellation(),
            pairing: pairing,
            version: version,
            logger: logger
        )
        let tried = await trial.run(within: limit)
        let states = tried.compactMap(\.note?.state)
        guard !states.contains(PairedState.connected.rawValue) else { return LearnedSessions(all: tried) }
        let reason = tried.lazy.compactMap(\.note?.reason).first
        return LearnedSessions(all: tried, problem: reason ?? "its gateway has not opened it in time")
    }
}

extension Gateway {
    /// Returns the word for a shell that means the gateway, which is not paired; `nil` if there is none.
    ///
    /// - Parameter name: The name by which the user means it; `nil` for its own.
    fileprivate func word(typed name: String?) -> String? {
        // What was typed can be the beginning of a name, or means a name that could not be copied.
        guard let own = ShellWord(name: self.name) else { return word }
        return (name.map { ShellWord(name: $0) } ?? own)?.description ?? word
    }
}

extension [OpenPairing] {
    /// Returns the request of this device that waits at a gateway longest; `nil` if none does.
    ///
    /// - Parameters:
    ///   - gateway: The identifier of its row; `nil` if there is none.
    ///   - places: The places at which it answers.
    package func request(at gateway: GatewayID?, _ places: [Endpoint]) -> WaitingRequest? {
        compactMap { pairing in
            guard case .pairing(.approvalNeeded(let approval)) = pairing.step, let offer = pairing.offer,
                offer.gatewayID == gateway || places.contains(offer.endpoint)
            else { return nil }
            return WaitingRequest(
                dialect: offer.dialect,
                since: approval.since,
                id: approval.requestID,
                command: approval.command
            )
        }
        .min { $0.since < $1.since }
    }
}
