internal import DNSSD
internal import GatewayProtocol
internal import Scanning
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

        /// The session, once it is granted.
        var session: GatewaySession?

        /// The details that a Clawline provider has given of the session.
        var clawline: ClawlineSession?
    }

    let credential: CredentialID
    var machine: SessionMachine<SessionGenerator>

    var claim = SessionClaim()

    /// The latest known generation of the secret.
    var generation: Int

    /// The bots that the credential opens.
    var bots: [StoredBot] = []

    /// The credential as it was last read from the store.
    var record: StoredCredential

    var running: [AttemptID: Running] = [:]

    /// The messages that were received in all its sessions.
    let history = ReceivedMessages()

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

    /// The devices that wait for an approval; `nil` where this device is no admin, or has no session.
    var devices: WaitingDevices?

    /// The errors that name no message, while a Clawline provider is being told of a decision; `nil` otherwise.
    var refusals: [Refusal]?

    /// An error of a provider that is about no message.
    struct Refusal {
        let code: String
        let text: String
    }

    /// The refusal of which other processes have been told last.
    var refusal: NotedRefusal?

    /// The time at which the gateway last answered in the session, in milliseconds since 1970; `nil` without a session.
    var lastAnswer: Int?

    /// The time at which the last session was lost, until there is another one or none is wanted.
    var lost: ContinuousClock.Instant?

    init(
        _ credential: StoredCredential,
        dialect: GatewayDialect,
        generator: SessionGenerator,
        now: ContinuousClock.Instant
    ) {
        self.credential = credential.id
        self.generation = credential.generation
        self.record = credential
        self.machine = SessionMachine(generator: generator, now: now, manners: SessionManners(dialect))
        self.since = now
    }

    /// Returns the session as others see it.
    func snapshot(_ pairing: StoredPairing) -> SessionSnapshot {
        SessionSnapshot(
            id: credential,
            stored: pairing,
            bots: bots,
            state: state,
            path: path,
            latency: latency,
            since: since,
            requests: devices?.known,
            history: (live.flatMap { running[$0.attempt]?.clawline }).flatMap(SessionSnapshot.HistoryNotice.init)
        )
    }
}

/// The generation of the secret that an attempt sends. It is known once the secret is opened, right before sending.
final class SentGeneration: Sendable {
    private let number: Mutex<Int>
    private let admin = Mutex(false)

    init(_ generation: Int) {
        number = Mutex(generation)
    }

    var value: Int {
        get { number.withLock { $0 } }
        set { number.withLock { $0 = newValue } }
    }

    /// Indicates whether the secret says that this device is an admin of its Clawline provider, which nothing proves.
    var isAdmin: Bool {
        get { admin.withLock { $0 } }
        set { admin.withLock { $0 = newValue } }
    }
}

extension StoredPairing {
    /// The bots that each credential opens, in the order of the bots. Found for all of them at once: a pairing may have
    /// a thousand credentials and bots.
    var botsByCredential: [CredentialID: [StoredBot]] {
        let places = Dictionary(bots.enumerated().map { ($1.id, $0) }) { first, _ in first }
        return Dictionary(
            credentials.map { credential in
                let opened = Set(credential.bots.compactMap { places[$0] }).sorted().map { bots[$0] }
                return (credential.id, credential.bots.isEmpty ? bots : opened)
            }
        ) { first, _ in first }
    }
}

extension SessionState {
    /// The state of the credential's bots in the map.
    var botState: BotState {
        switch self {
        case .stopped, .held: .paired
        case .connecting, .authenticating: .connecting
        case .connected: .connected
        case .idle, .waiting: .disconnected
        case .moved: .moved
        case .changedLeaf: .changedLeaf
        case .revoked: .error
        case .uncertified: .uncertified
        case .deferred(let refusal, _) where refusal.stands: .refused
        case .queued, .deferred: .waiting
        case .refused: .refused
        case .failed: .failed
        }
    }
}

extension StoredPairing {
    /// Returns whether the paths to its gateway may be others than they were, or their order: when it was connected last,
    /// its names and its bots change nothing about them.
    func leadsElsewhere(than former: StoredPairing) -> Bool {
        var same = self
        same.name = former.name
        same.ownName = former.ownName
        same.bots = former.bots
        same.credentials = former.credentials
        same.lastConnected = former.lastConnected
        same.connectedURL = former.connectedURL
        same.connectsAutomatically = former.connectsAutomatically
        return same != former
    }
}
