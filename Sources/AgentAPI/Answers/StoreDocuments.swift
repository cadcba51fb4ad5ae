internal import Agent
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// The answers that need the store of pairings.
extension Agent {
    /// The pairings of this device, without secrets.
    func pairings() async throws -> PairingListReport {
        let (pairings, isSealed) = try await radar.read { store throws(StoreError) in
            (try store.pairings(), store.keyProblem != nil)
        }
        return PairingListReport(pairings.map { PairingReport($0, isSealed: isSealed) })
    }

    /// All bots, but for archived ones.
    func bots() async throws -> ConstellationReport {
        let pairings = try await radar.pairings()
        let rows = await present.snapshot.gateways
        let sorted = NetworkSnapshot(rows: rows, services: []).gateways
        let memories = await watchedGateways ?? [:]
        let outages = Dictionary(
            pairings.compactMap { pairing in memories["\(pairing.id)"]?.outage.map { (pairing.id, $0) } }
        ) { first, _ in first }
        let bots = BotAtGateway.all(in: sorted, PairedGateways(of: pairings), now: .now, outages: outages)
        return ConstellationReport(bots.map(\.report))
    }

    /// The states of the agent and of all paired gateways.
    func status() async throws -> AgentDocument {
        // The parts say why the store is not open, so that this is no reason not to answer.
        let snapshot = await present.snapshot
        guard let stored = try? await radar.read(StoredStates.init) else {
            return AgentDocument(self, parts: parts, nil, snapshot)
        }
        let pairings = stored.pairings
        let held = stored.held.merging(await failedSessions) { held, _ in held }
        let states = PairedGateways(of: pairings).states(of: pairings, in: snapshot.gateways, held)
        return AgentDocument(self, parts: parts, (states + stored.revoked).inOrder.map(\.report), snapshot)
    }
}

/// The records of the store from which the states of paired gateways follow.
private struct StoredStates: Sendable {
    let pairings: [StoredPairing]

    /// The sessions that processes of this user have.
    let held: [CredentialID: HeldSession]

    /// The pairings that their gateways have revoked.
    let revoked: [PairedStatus]

    init(_ store: PairingStore) throws(StoreError) {
        pairings = try store.pairings()
        held = store.heldSessions(of: pairings.flatMap { $0.credentials.map(\.id) })
        revoked = PairedStatus.revoked(try store.bin(), besides: pairings)
    }
}

/// The state of an agent, the states of all paired gateways, none of them if the store is not open, the other gateways, and the
/// devices that wait for an approval.
struct AgentDocument: JSONReport {
    private let agent: Agent
    private let parts: [AgentPartState]
    private let gateways: [PairedStatusReport]?
    private let snapshot: ConstellationSnapshot

    init(
        _ agent: Agent,
        parts: [AgentPartState],
        _ gateways: [PairedStatusReport]?,
        _ snapshot: ConstellationSnapshot
    ) {
        self.agent = agent
        self.parts = parts
        self.gateways = gateways
        self.snapshot = snapshot
    }

    private var waiting: [ApprovalFeed.Approval] {
        var feed = ApprovalFeed()
        _ = feed.take(.snapshot(snapshot))
        return feed.waiting
    }

    var fields: [String: JSONValue] {
        [
            "agent": .object([
                "version": .string(agent.configuration.version),
                "process": .number(JSONNumber(Int(agent.process))),
                "startedAt": .string(agent.start.description),
                "folder": JSONValue((try? agent.configuration.store())?.folder),
                "configuration": JSONValue(agent.configuration.settingsFile),
                "parts": .array(parts.map { PartReport($0).json }),
            ]),
            "gateways": gateways.map { .array($0.map(\.json)) } ?? .null,
            "unpaired": .array(
                NetworkSnapshot(rows: snapshot.gateways, services: []).unpaired.map { GatewayReport($0).json }
            ),
            "waiting": .array(waiting.map { ApprovalReport(.waits($0), at: .now).json }),
        ]
    }
}
