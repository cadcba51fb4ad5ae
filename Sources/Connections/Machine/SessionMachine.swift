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
        case failed(String)
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
    var isWatched = false
    var backOff = BackOff()
    var generator: Generator
    var actions: [SessionAction] = []
    var now: ContinuousClock.Instant

    /// The obstacle that connections have met; it stands until a session, or another one.
    var obstacle: PathOffer.Obstacle?

    /// Indicates whether a search or a session has failed since the last session was granted. Before that an obstacle on one
    /// way is no news: another way is being tried.
    var hasFailed = false

    /// The limit on how often a back-off is cut short: whoever forges sightings makes nobody connect more often.
    var wakes: TokenBucket
    private var lastNumber = 0
    private var reported = SessionState.stopped

    init(generator: Generator, now: ContinuousClock.Instant) {
        self.generator = generator
        self.now = now
        self.wakes = TokenBucket(capacity: 3, perSecond: 1, now: now)
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
        case .fail(let reason): halt(.failed(reason))
        case .offer(let offer): take(offer)
        case .newCredential: takeNewCredential()
        case .wake(let delay): wake(at: now + delay)
        case .watched(let isWatched): self.isWatched = isWatched
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
        case .resting, .waiting, .seeking, .live, .revoked:
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
        if case .refused(let refusal) = phase, refusal.rule == .afterNewCredential { seek() }
    }

    // MARK: Attempts

    /// Begins to look for a session, if there is a way.
    mutating func seek() {
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
        case .waiting(var wait):
            guard wait.wish == nil, time < wait.until else { return }
            let isAllowed = wakes.take(now: now)
            wait.until = min(wait.until, isAllowed ? time : max(time, wakes.time(for: 1)))
            phase = .waiting(wait)
        case .seeking(var round):
            guard wakes.take(now: now) else { return }
            for id in round.renewStale(now: now) { actions.append(.close(id, code: 1_000)) }
            // What has refused in this round may be back, and shall not wait until the silent ones are given up.
            if !round.isAuthenticating { round.add(offer.all, now: now) }
            connect(&round)
            phase = .seeking(round)
        case .live(let session):
            wake(session, at: time)
        case .stopped, .held, .refused, .revoked, .failed:
            break
        }
    }

    // MARK: Time

    /// The time at which ``SessionEvent/timePassed`` is due; `nil` when nothing is.
    var deadline: ContinuousClock.Instant? {
        switch phase {
        case .waiting(let wait): wait.until
        case .seeking(let round): round.due
        case .live(let session): deadline(of: session)
        case .stopped, .held, .resting, .refused, .revoked, .failed: nil
        }
    }

    private mutating func passTime() {
        switch phase {
        case .waiting(let wait) where wait.until <= now:
            seek()
        case .seeking(var round):
            connect(&round)
            phase = .seeking(round)
        case .live(let session):
            passTime(session)
        default:
            break
        }
    }

    // MARK: State

    private mutating func report() {
        let state = state
        guard state != reported else { return }
        reported = state
        actions.append(.report(state))
    }

    private static func state(of obstacle: PathOffer.Obstacle?) -> SessionState? {
        switch obstacle {
        case .moved(let reason): .moved(reason)
        case .changedLeaf(let found): .changedLeaf(found: found)
        case nil: nil
        }
    }

    /// The state as it is shown.
    var state: SessionState {
        switch phase {
        case .stopped: return .stopped
        case .held(let holder): return .held(holder)
        case .refused(let refusal): return .refused(refusal)
        case .revoked(let refusal): return .revoked(refusal)
        case .failed(let reason): return .failed(reason)
        case .live(let session):
            guard session.isSuspect, let obstructed = Self.state(of: offer.obstacle) else {
                return .connected(session.path)
            }
            return obstructed
        case .waiting(let wait):
            if let wish = wait.wish { return .deferred(wish, until: wait.until) }
        case .resting, .seeking: break
        }
        if hasFailed || offer.isEmpty, let obstructed = Self.state(of: offer.obstacle ?? obstacle) { return obstructed }
        switch phase {
        case .waiting(let wait): return .waiting(until: wait.until)
        case .seeking(let round): return round.isAuthenticating ? .authenticating : .connecting
        default: return .idle
        }
    }
}
