internal import DNSSD
internal import GatewayProtocol
internal import PairingStore

/// The session of one credential: when and on which way it is sought, when it is given up, and what it waits for.
///
/// A value: it is told the time, and what happens, and says what to do. Randomness is a generator's that it is given. Whoever
/// runs it tells every ``SessionEvent``, does every ``SessionAction`` in order, and sends ``SessionEvent/timePassed`` at
/// ``deadline``.
///
/// There is one session at a time: a second connection asks for one only to take the place of the first, which is closed as soon
/// as it is granted. A token goes only where ``SessionEvent/opened(_:_:)`` brought ``TrustDecision/allowed``.
struct SessionMachine<Generator: RandomNumberGenerator> {
    /// The phase of it.
    enum Phase {
        case stopped
        case held(LockHolder?)
        case resting
        case waiting(Wait)
        case seeking(SessionRound)
        case live(LiveSession)
        case refused(SessionRefusal)
        case revoked(SessionRefusal)

        /// It has failed here, and is tried again at this time; with `nil`, when whoever runs it says so.
        case failed(String, until: ContinuousClock.Instant?)
    }

    /// A time of waiting.
    struct Wait {
        var until: ContinuousClock.Instant

        /// The gateway's own wish to be left alone, which nothing cuts short.
        var wish: SessionRefusal?
    }

    /// The range of the time between two questions whether an operator has approved.
    static var approvalInterval: ClosedRange<Double> { 30...60 }

    var phase = Phase.stopped
    var offer = PathOffer()

    /// The number of sessions that somebody watches, this one among them; 0 while nobody does.
    var watched = 0
    var backOff = BackOff()
    var generator: Generator
    var actions: [SessionAction] = []
    var now: ContinuousClock.Instant

    /// The obstacle that connections have met; it stands until a session, or another one.
    var obstacle: PathOffer.Obstacle?

    /// Indicates whether a search or a session has failed since the last session was granted. Before that an obstacle on one
    /// way is no news: another way is being tried.
    var hasFailed = false

    /// The state that stays shown while a gateway that is away is tried again: nobody wants to see each attempt.
    var standing: SessionState?

    /// The limit on how often a back-off is cut short: whoever forges sightings makes nobody connect more often.
    var wakes: TokenBucket

    /// The time from which an answer may cut a wait short again: a gateway that answers and ends each session is not sought more
    /// often for it.
    private var nextAnswer: ContinuousClock.Instant
    private var lastNumber = 0

    /// The state that was told last.
    var reported = SessionState.stopped

    init(generator: Generator, now: ContinuousClock.Instant) {
        self.generator = generator
        self.now = now
        self.wakes = TokenBucket(capacity: 3, perSecond: 1, now: now)
        self.nextAnswer = now
    }

    // MARK: Events

    /// Takes an event in.
    ///
    /// - Returns: What to do, in this order.
    mutating func handle(_ event: SessionEvent, at time: ContinuousClock.Instant) -> [SessionAction] {
        now = max(now, time)
        actions = []
        switch event {
        case .start: start()
        case .stop: halt(.stopped)
        case .held(let holder): halt(.held(holder))
        case .fail(let reason): halt(.failed(reason, until: nil))
        case .offer(let offer): take(offer)
        case .newCredential: takeNewCredential()
        case .wake(let delay): wake(at: now + delay)
        case .answered: takeAnswer()
        case .watched(let isWatched, let count): watched = isWatched ? max(count, 1) : 0
        case .opened(let id, let decision): opened(id, decision)
        case .granted(let id, let tick): granted(id, tick: tick)
        case .ended(let id, let failure): ended(id, failure)
        case .heard(let id): heard(id)
        case .congested(let id, let isCongested): congested(id, isCongested)
        case .timePassed: break
        }
        passTime()
        report()
        return actions
    }

    private mutating func start() {
        switch phase {
        case .stopped, .held, .refused, .failed:
            backOff.reset()
            hasFailed = false
            seek()
        case .live(var session):
            if let bar = session.bar, bar.until == nil { lift(&session) }
            phase = .live(session)
            wake(at: now)
        case .resting, .waiting, .seeking, .revoked:
            wake(at: now)
        }
    }

    /// Ends everything, and stays so.
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
        // It was the former one that was withdrawn.
        case .revoked:
            seek()
        case .refused(let refusal) where refusal.rule == .afterNewCredential:
            seek()
        case .failed(_, _?):
            seek()
        case .live(var session) where session.bar?.refusal.rule == .afterNewCredential:
            lift(&session)
            phase = .live(session)
        default:
            break
        }
    }

    // MARK: Attempts

    /// Begins to look for a session, if there is a way.
    ///
    /// - Parameter isAgain: Whether nothing has happened since the last time but that it failed.
    mutating func seek(isAgain: Bool = false) {
        standing = isAgain ? stateToKeep : nil
        guard !offer.isEmpty else {
            phase = .resting
            return
        }
        var round = SessionRound(local: offer.local, remote: offer.remote, now: now)
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

    /// Looks for the gateway at a time, where that is sooner than it would be otherwise.
    mutating func wake(at time: ContinuousClock.Instant) {
        switch phase {
        case .resting:
            guard !offer.isEmpty else { return }
            phase = .waiting(Wait(until: time))
        case .waiting(let wait):
            guard wait.wish == nil, let until = earlier(than: wait.until, time) else { return }
            phase = .waiting(Wait(until: until))
        case .failed(let reason, let until?):
            guard let until = earlier(than: until, time) else { return }
            phase = .failed(reason, until: until)
        case .seeking(var round):
            guard wakes.take(now: now) else { return }
            for id in round.renewStale(now: now) { actions.append(.close(id, code: 1_000)) }
            // What has refused in this round may be back, and shall not wait until the silent ones are given up.
            if !round.isAuthenticating { round.add(offer.all, now: now) }
            connect(&round)
            phase = .seeking(round)
        case .live(let session):
            wake(session, at: time)
        case .stopped, .held, .refused, .revoked, .failed(_, nil):
            break
        }
    }

    private mutating func takeAnswer() {
        guard isWaiting, nextAnswer <= now else { return }
        nextAnswer = now + BackOff.longest
        wake(at: now)
    }

    /// The time at which a wait is cut short, which is not as often as anybody likes; `nil` where it ends before that.
    private mutating func earlier(
        than until: ContinuousClock.Instant,
        _ time: ContinuousClock.Instant
    ) -> ContinuousClock.Instant? {
        guard time < until else { return nil }
        return min(until, wakes.take(now: now) ? time : max(time, wakes.time(for: 1)))
    }

    // MARK: Time

    /// Indicates whether it waits for the next attempt, and not because the gateway wishes so.
    var isWaiting: Bool {
        if case .waiting(let wait) = phase { wait.wish == nil } else { false }
    }

    /// The time at which ``SessionEvent/timePassed`` is due; `nil` when nothing is.
    var deadline: ContinuousClock.Instant? {
        switch phase {
        case .waiting(let wait): wait.until
        case .failed(_, let until): until
        case .seeking(let round): round.due
        case .live(let session): deadline(of: session)
        case .stopped, .held, .resting, .refused, .revoked: nil
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
