package import Constellation
package import DNSSD
internal import GatewayProtocol
package import PairingStore
internal import Synchronization

/// All that is kept for the session of one credential, beside its machine's decisions.
struct KeptSession {
    /// An attempt that runs, or its session.
    struct Running {
        let path: SessionPath
        let commands: AsyncStream<SessionCall.Command>.Continuation

        /// The generation of the secret that it sends.
        let sent: SentGeneration

        /// The endpoint that has answered, once one has.
        var endpoint: Endpoint?
    }

    let credential: CredentialID
    var machine: SessionMachine<SessionGenerator>

    /// The right to have the session, over all processes.
    var lock: SessionLock?

    /// Indicates whether that right is to be asked for at a time to come.
    var isBeginPending = false

    /// The generation of the secret that was last told of.
    var generation: Int

    var running: [AttemptID: Running] = [:]

    /// The generation of the secret that the attempt which ended last had sent: what the gateway said was about that.
    var endedGeneration: Int?

    /// The attempts that were told to ask for a session.
    var permitted: Set<AttemptID> = []

    /// The endpoint of the live session, and its last word.
    var live: (attempt: AttemptID, endpoint: Endpoint)?

    var state = SessionState.stopped
    var since: ContinuousClock.Instant
    var path: SessionPath?
    var latency: Duration?

    /// The time at which the last session was lost, until there is another one or none is wanted.
    var lost: ContinuousClock.Instant?

    init(_ credential: StoredCredential, generator: SessionGenerator, now: ContinuousClock.Instant) {
        self.credential = credential.id
        self.generation = credential.generation
        self.machine = SessionMachine(generator: generator, now: now)
        self.since = now
    }

    /// The session as others see it.
    func snapshot(_ pairing: StoredPairing) -> SessionSnapshot {
        SessionSnapshot(
            id: credential,
            pairing: pairing.id,
            gatewayName: pairing.name,
            bots: pairing.bots(of: credential),
            state: state,
            path: path,
            latency: latency,
            since: since
        )
    }
}

/// The generation of the secret that an attempt sends, which is known when the secret is opened, right before.
final class SentGeneration: Sendable {
    private let number: Mutex<Int>

    init(_ generation: Int) {
        number = Mutex(generation)
    }

    var value: Int {
        get { number.withLock { $0 } }
        set { number.withLock { $0 = newValue } }
    }
}

extension StoredPairing {
    /// The bots that a credential opens.
    func bots(of credential: CredentialID) -> [StoredBot] {
        guard let found = credentials.first(where: { $0.id == credential }) else { return [] }
        if found.bots.isEmpty { return bots }
        let ids = Set(found.bots)
        return bots.filter { ids.contains($0.id) }
    }

    /// The identifier of its row in the map. What claimed a fingerprint at pairing, and was proved since, goes by that.
    package func rowID(interfaces: [NetworkInterface]) -> GatewayID? {
        switch GatewayID(gatewayID, interfaces: interfaces) {
        case .claimant(let fingerprint, _): .fingerprint(fingerprint)
        case let id?: id
        // The link of its address is not there now.
        case nil: fingerprint.map(GatewayID.fingerprint) ?? endpoints.first.map { .candidate(.endpoint($0)) }
        }
    }
}

extension SessionState {
    /// The state of the credential's bots in the map.
    var botState: BotState {
        switch self {
        case .stopped, .held: .paired
        case .connecting, .authenticating: .connecting
        case .connected: .connected
        case .idle, .waiting, .moved: .disconnected
        case .changedLeaf, .uncertified, .deferred, .refused, .revoked, .failed: .error
        }
    }
}

extension BotState {
    /// The states through which a session's bot comes to another one: a step that is not allowed is made by way of others.
    func steps(to target: BotState) -> [BotState] {
        if self == target { return [] }
        if canBecome(target) { return [target] }
        // All states of sessions lead to connecting, and from there to every other one.
        if canBecome(.connecting) { return [.connecting, target] }
        return canBecome(.disconnected) ? [.disconnected, .connecting, target] : [target]
    }
}
