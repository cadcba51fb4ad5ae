internal import DNSSD
internal import GatewayProtocol

/// The decisions on the session of one credential: when and on which path it is sought, when it is given up, and what
/// it waits for.
///
/// A value: it receives the time and events, and returns actions. Its randomness comes from a generator that it is
/// given. Its owner passes every ``SessionEvent``, performs every ``SessionAction`` in order, and passes
/// ``SessionEvent/timePassed`` at ``deadline``.
///
/// There is one session at a time: a second connection asks for one only to replace the first, which is closed as soon
/// as the second is granted. A token is sent only on a connection for which ``SessionEvent/opened(_:_:)`` brought
/// ``TrustDecision/allowed``.
struct SessionMachine<Generator: RandomNumberGenerator> {
    /// The phase of the session.
    enum Phase {
        case stopped
        case held(LockHolder?)
        case queued
        case resting
        case waiting(Wait)
        case seeking(SessionRound)
        case live(LiveSession)
        case refused(SessionRefusal)
        case revoked(SessionRefusal)

        /// It has failed on this device, and is tried again at this time; with `nil`, only after
        /// ``SessionEvent/start``.
        case failed(String, until: ContinuousClock.Instant?)
    }

    /// A wait for the next attempt.
    struct Wait {
        var until: ContinuousClock.Instant

        /// The refusal by which the gateway itself has asked for the wait. Only the user cuts it short, and not if that is
        /// about the pace of requests.
        var refusal: SessionRefusal?
    }

    /// The range of the time between two requests while an operator's approval is awaited, in seconds.
    static var approvalInterval: ClosedRange<Double> { 30...60 }

    /// The time between two requests while a refusal stands, such as another version of the protocol: somebody may change
    /// that at the gateway at any time, and nobody says so.
    static var standingInterval: Duration { .seconds(60) }

    /// The same where a credential is refused: so few attempts lock no gateway.
    static var credentialInterval: Duration { .seconds(300) }

    var phase = Phase.stopped
    var offer = PathOffer()

    /// The number of sessions that somebody watches, this one among them; 0 while nobody does.
    var watched = 0
    var backOff: BackOff

    /// The limit on requests for a session; `nil` if there is none.
    var limit: AttemptLimit?
    var generator: Generator
    var actions: [SessionAction] = []
    var now: ContinuousClock.Instant

    /// The obstacle that connections have met. It stands until there is a session, or another obstacle; until nothing
    /// answers any more on its path; or until the map says no more that it is there.
    var obstacle: PathOffer.Obstacle?

    /// The path of that obstacle.
    var obstaclePath: SessionPath?

    /// Indicates whether a search or a session has failed since the last session was granted. Before that, an obstacle
    /// on one path is not worth showing: another path is being tried.
    var hasFailed = false

    /// The state that stays shown while a gateway that is away is tried again, since nobody wants to see each attempt.
    var standing: SessionState?

    /// The limit on how often a back-off is cut short, so that forged sightings make nobody connect more often.
    var wakes: TokenBucket

    /// The time from which an answer may cut a wait short again, so that a gateway that answers but ends each session
    /// is not sought more often.
    private var nextAnswer: ContinuousClock.Instant
    private var lastNumber = 0

    /// The state that was last reported.
    var reported = SessionState.stopped

    init(
        generator: Generator,
        now: ContinuousClock.Instant,
        manners: SessionManners = SessionManners(.optaplus)
    ) {
        self.backOff = BackOff(manners.pace)
        self.limit = manners.limit
        self.generator = generator
        self.now = now
        self.wakes = TokenBucket(capacity: 3, perSecond: 1, now: now)
        self.nextAnswer = now
    }

    // MARK: Events

    /// Handles an event.
    ///
    /// - Returns: The actions to perform, in this order.
    mutating func handle(_ event: SessionEvent, at time: ContinuousClock.Instant) -> [SessionAction] {
        now = max(now, time)
        actions = []
        switch event {
        case .start: start()
        case .stop: halt(.stopped)
        case .held(let holder): halt(.held(holder))
        case .queue: halt(.queued)
        case .fail(let reason): halt(.failed(reason, until: nil))
        case .offer(let offer): take(offer)
        case .newCredential: takeNewCredential()
        case .wake(let delay): wake(at: now + delay)
        case .answered: takeAnswer()
        case .watched(let isWatched, let count): watched = isWatched ? max(count, 1) : 0
        case .opened(let id, let decision): opened(id, decision)
        case .granted(let id, let tick): granted(id, tick: tick)
        case .ended(let id, let failure): ended(id, failure)
        case .signOfLife(let id): noteSignOfLife(id)
        case .congested(let id, let isCongested): congested(id, isCongested)
        case .timePassed: break
        }
        passTime()
        report()
        return actions
    }

    private mutating func start() {
        switch phase {
        case .stopped, .held, .queued, .refused, .failed:
            backOff.reset()
            hasFailed = false
            seek()
        case .live(var session):
            if let ban = session.ban, ban.until == nil { lift(&session) }
            phase = .live(session)
            wake(at: now)
        case .waiting(let wait) where wait.refusal?.isAboutPace == false:
            seek(isAgain: true)
        case .resting, .waiting, .seeking, .revoked:
            wake(at: now)
        }
    }

    /// Ends the search or session, and stays in the given phase.
    private mutating func halt(_ phase: Phase) {
        switch self.phase {
        case .revoked: return
        case .seeking(let round): close(round)
        case .live(let session): close(session)
        default: break
        }
        self.phase = phase
    }

    private mutating func takeNewCredential() {
        switch phase {
        // Only the former credential was revoked.
        case .revoked:
            seek()
        case .refused(let refusal) where refusal.endsWithNewCredential:
            seek()
        case .waiting(let wait) where wait.refusal?.endsWithNewCredential == true:
            seek()
        // The answer will be about the former credential.
        case .seeking(let round) where round.isAuthenticating:
            close(round)
            seek()
        case .failed(_, _?):
            seek()
        case .live(var session):
            guard session.ban?.refusal.endsWithNewCredential == true else { return }
            lift(&session)
            phase = .live(session)
        default:
            break
        }
    }

    // MARK: Attempts

    /// Begins to look for a session, if there is a path.
    ///
    /// - Parameter isAgain: Indicates whether nothing has happened since the last search, except that it failed.
    mutating func seek(isAgain: Bool = false) {
        standing = isAgain ? stateToKeep : nil
        guard !offer.isEmpty else {
            phase = .resting
            return
        }
        if let next = limit?.next(at: now), next > now {
            // However often something indicates that the gateway may be there.
            phase = .waiting(Wait(until: next))
            return
        }
        var round = SessionRound(offer.all, now: now)
        connect(&round)
        phase = .seeking(round)
    }

    /// Opens the connections that are due.
    mutating func connect(_ round: inout SessionRound) {
        while let path = round.takeDue(now: now) {
            lastNumber += 1
            let id = AttemptID(number: lastNumber)
            round.begin(id, path, now: now)
            actions.append(.connect(id, path))
        }
    }

    /// Waits until the next attempt.
    mutating func waitAndSeek() {
        hasFailed = true
        phase = .waiting(Wait(until: now + backOff.next(using: &generator)))
    }

    mutating func close(_ round: SessionRound) {
        for attempt in round.attempts { actions.append(.close(attempt.id, code: 1_000)) }
    }

    mutating func close(_ session: LiveSession, code: UInt16 = 1_000) {
        if let successor = session.successor { close(successor) }
        actions.append(.close(session.id, code: code))
        actions.append(.liveness(session.id, nil))
    }

    /// Looks for the gateway at a time, if that is earlier than planned.
    mutating func wake(at time: ContinuousClock.Instant) {
        switch phase {
        case .resting:
            guard !offer.isEmpty else { return }
            phase = .waiting(Wait(until: time))
        case .waiting(let wait):
            guard wait.refusal == nil, let until = earlier(than: wait.until, time) else { return }
            phase = .waiting(Wait(until: until))
        case .failed(let reason, let until?):
            guard let until = earlier(than: until, time) else { return }
            phase = .failed(reason, until: until)
        case .seeking(var round):
            guard wakes.take(now: now) else { return }
            for id in round.renewStale(now: now) { actions.append(.close(id, code: 1_000)) }
            // Paths that have failed in this round may work again, and must not wait until the silent ones are given
            // up.
            if !round.isAuthenticating { round.add(offer.all, now: now) }
            connect(&round)
            phase = .seeking(round)
        case .live(let session):
            wake(session, at: time)
        case .stopped, .held, .queued, .refused, .revoked, .failed(_, nil):
            break
        }
    }

    private mutating func takeAnswer() {
        guard isWaiting, nextAnswer <= now else { return }
        nextAnswer = now + BackOff.longest
        wake(at: now)
    }

    /// Returns the time to which a wait is cut short, within the limit on how often that happens; `nil` if the wait
    /// ends before.
    private mutating func earlier(
        than until: ContinuousClock.Instant,
        _ time: ContinuousClock.Instant
    ) -> ContinuousClock.Instant? {
        guard time < until else { return nil }
        return min(until, wakes.take(now: now) ? time : max(time, wakes.time(for: 1)))
    }

    // MARK: Time

    /// Indicates whether it waits for the next attempt, and not at the gateway's request.
    var isWaiting: Bool {
        if case .waiting(let wait) = phase { wait.refusal == nil } else { false }
    }

    /// The time at which ``SessionEvent/timePassed`` is due; `nil` when nothing is.
    var deadline: ContinuousClock.Instant? {
        switch phase {
        case .waiting(let wait): wait.until
        case .failed(_, let until): until
        case .seeking(let round): round.due
        case .live(let session): deadline(of: session)
        case .stopped, .held, .queued, .resting, .refused, .revoked: nil
        }
    }

    private mutating func passTime() {
        switch phase {
        case .waiting(let wait) where wait.until <= now:
            seek(isAgain: true)
        case .failed(_, let until?) where until <= now:
            seek(isAgain: true)
        case .seeking(var round):
            connect(&round)
            phase = .seeking(round)
        case .live(let session):
            passTime(session)
        default:
            break
        }
    }
}
