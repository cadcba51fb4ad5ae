package import Constellation
package import DNSSD
internal import GatewayProtocol
package import PairingStore
internal import Synchronization

/// Everything that belongs to the session of one credential, besides the decisions of its machine.
struct KeptSession {
    /// A running attempt, or its session.
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

    /// The lock that gives the right to have the session, among all processes.
    var lock: SessionLock?

    /// Indicates whether the session is to begin at a later time that is scheduled already.
    var isBeginPending = false

    /// Indicates whether the lock is being taken.
    var isLocking = false

    /// The latest known generation of the secret.
    var generation: Int

    var running: [AttemptID: Running] = [:]

    /// The generation of the secret that was sent by the attempt which ended last: a refusal by the gateway is about
    /// that secret.
    var endedSecret: SentGeneration?

    /// The attempts that may ask for a session.
    var permitted: Set<AttemptID> = []

    /// The number of the live session, and its endpoint.
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

    /// Returns the session as others see it.
    func snapshot(_ pairing: StoredPairing) -> SessionSnapshot {
        SessionSnapshot(
            id: credential,
            stored: pairing,
            bots: pairing.bots(of: credential),
            state: state,
            path: path,
            latency: latency,
            since: since
        )
    }
}

/// The generation of the secret that an attempt sends. It is known once the secret is opened, right before sending.
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
    /// Returns the bots that a credential opens.
    func bots(of credential: CredentialID) -> [StoredBot] {
        guard let found = credentials.first(where: { $0.id == credential }) else { return [] }
        if found.bots.isEmpty { return bots }
        let ids = Set(found.bots)
        return bots.filter { ids.contains($0.id) }
    }

    /// Returns the identifier of its row in the map. A gateway that merely claimed its fingerprint at pairing has been
    /// proved since, and is identified by the fingerprint.
    package func rowID(interfaces: [NetworkInterface]) -> GatewayID? {
        switch GatewayID(gatewayID, interfaces: interfaces) {
        case .claimant(let fingerprint, _): .fingerprint(fingerprint)
        case let id?: id
        // The interface of its address does not exist now.
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
    /// Returns the states through which a session's bot gets to another one: a step that is not allowed is made by way
    /// of others.
    func steps(to target: BotState) -> [BotState] {
        if self == target { return [] }
        if canBecome(target) { return [target] }
        // All states of sessions lead to connecting, and from there to every other one.
        if canBecome(.connecting) { return [.connecting, target] }
        return canBecome(.disconnected) ? [.disconnected, .connecting, target] : [target]
    }
}
