import DNSSD
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Pairing

/// Random sequences of events, including those that no gateway or network would cause, with a simulated clock. After
/// each event, the rules of ``SessionMachine`` are checked.
@Suite struct SessionSequenceTests {
    @Test func noSequenceOfEventsBreaksTheRules() {
        var seeds = SeededGenerator.forFuzzing("sessions")
        let fault = TestCases.firstProblem(of: TestCases.count(100_000), &seeds) { seed in
            var sequence = SessionSequence(seed: seed)
            return sequence.run(events: 40)
        }
        #expect(fault == nil)
    }
}

/// One sequence of events, and the checks of the rules after each of them.
private struct SessionSequence {
    private enum Stage {
        case connecting
        case authenticating
        case live
    }

    private var random: SeededGenerator
    private var machine: SessionMachine<SeededGenerator>
    private var now = ContinuousClock.now
    private let seed: UInt64

    /// The connections that are open, as the owner of the machine knows them.
    private var open: [AttemptID: Stage] = [:]
    private var paths: [AttemptID: SessionPath] = [:]
    private var allowed: Set<AttemptID> = []
    private var offered: Set<SessionPath> = []
    private var isRevoked = false
    private var fault: String?

    /// The paths that are offered now.
    private var offer = PathOffer()

    /// The liveness that was last reported for the session.
    private var sign: SessionAction.Sign?

    /// The time before which no session may be asked for, since a gateway that may have the token has refused it; `nil`
    /// for ever.
    private var ban: (until: ContinuousClock.Instant?, refusal: SessionRefusal)?

    /// Indicates whether the state that was last reported shows that there is no session: until something else than
    /// another attempt happens, attempts must not be reported.
    private var isShownAway = false

    /// Indicates whether the machine was informed that this process cannot have the session.
    private var isWithoutRight = false

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        machine = SessionMachine(generator: SeededGenerator(seed: seed ^ 1), now: now)
    }

    /// Runs the sequence.
    ///
    /// - Returns: The rule that was broken; `nil` if none was.
    mutating func run(events: Int) -> String? {
        for number in 0..<events {
            let event = nextEvent()
            step(event)
            if let fault { return "seed \(seed), event \(number), \(event): \(fault)" }
        }
        return nil
    }

    private mutating func step(_ event: SessionEvent) {
        let before = machine.state
        if event == .newCredential { isRevoked = false }
        let wasWaiting = if case .waiting = machine.phase { true } else { false }
        var sender: Stage?
        if case .ended(let id, _) = event { sender = open.removeValue(forKey: id) }
        if case .opened(let id, let decision) = event, open[id] == .connecting {
            if decision.isAllowed { allowed.insert(id) } else { allowed.remove(id) }
        }
        liftBan(event)
        let actions = machine.handle(event, at: now)
        if case .ended(_, let failure) = event { setBan(failure, sender) }
        for action in actions { check(action, event, sender) }
        checkPhase()
        if case .fail = event, case .failed = machine.phase { isWithoutRight = true }
        if case .start = event { isWithoutRight = false }
        if case .ended = event, !wasWaiting, case .waiting(let wait) = machine.phase {
            if wait.until < now + BackOff.first * (1 - BackOff.spread) {
                fault = "waits for less than the first back-off"
            }
        }
        let isBound = actions.contains { if case .connect = $0 { true } else { false } }
        guard isBound else { return }
        if isBanned { fault = "connects before the end of a ban" }
        switch (before, event) {
        case (.stopped, .start), (.refused, .start), (.held, .start), (.queued, .start), (.refused, .newCredential),
            (.revoked, .newCredential):
            break
        case (.failed, _): if isWithoutRight { fault = "connects although this process cannot have the session" }
        case (.stopped, _), (.refused, _), (.held, _), (.queued, _), (.revoked, _): fault = "connects from \(before)"
        default: break
        }
    }

    /// Checks the rules that hold at any time.
    private mutating func checkPhase() {
        if open.values.count(where: { $0 == .live }) > 1 { fault = "two sessions" }
        if open.values.count(where: { $0 == .authenticating }) > 1 { fault = "two attempts ask for a session" }
        switch machine.phase {
        case .live(let session):
            if open[session.id] != .live { fault = "connected without a session" }
            if !machine.state.isConnected, !session.isSuspect { fault = "a session that is not shown" }
            if sign != (session.isSuspect ? .suspect : .answering) {
                fault = "the reported liveness is not that of the session"
            }
            let isBetterOffered = offer.all.contains { $0.reach < session.path.reach }
            if isBetterOffered, session.returnDue == nil, session.successor == nil, ban == nil {
                fault = "a better path is never tried"
            }
        case .seeking:
            if open.values.contains(.live) { fault = "a session that is not shown" }
        case .stopped, .held, .queued, .resting, .waiting, .refused, .revoked, .failed:
            if !open.isEmpty { fault = "connections left open in \(machine.state)" }
        }
        switch machine.phase {
        case .waiting(let wait): if machine.deadline != wait.until { fault = "waits without a deadline" }
        case .failed: if !isWithoutRight, machine.deadline == nil { fault = "has failed, and is never tried again" }
        default: break
        }
    }

    // MARK: Bans

    private var isBanned: Bool { ban.map { ban in ban.until.map { now < $0 } ?? true } ?? false }

    private mutating func setBan(_ failure: SessionFailure, _ sender: Stage?) {
        guard sender == .authenticating || sender == .live, case .refused(let refusal) = failure else { return }
        guard !refusal.endsCredential else { return }
        switch refusal.rule {
        case .backOff: break
        case .never where refusal.reason == .sessionReplaced: ban = (nil, refusal)
        case .never: ban = (now + .seconds(60), refusal)
        case .afterNewCredential: ban = (now + .seconds(300), refusal)
        case .after(let time): ban = (now + time, refusal)
        case .whenApproved: ban = (now + .seconds(30), refusal)
        }
    }

    private mutating func liftBan(_ event: SessionEvent) {
        if let until = ban?.until, until <= now { ban = nil }
        switch event {
        // A new start lifts the ban.
        case .stop, .held, .queue, .fail: ban = nil
        case .start:
            // Beside a live session, only what has no end.
            if case .live = machine.phase, ban?.until != nil { break }
            if ban?.refusal.isAboutPace != true { ban = nil }
        case .newCredential:
            if ban?.refusal.endsWithNewCredential == true { ban = nil }
        default: break
        }
        switch event {
        case .start, .stop, .held, .queue, .fail, .newCredential: isShownAway = false
        default: break
        }
    }

    private mutating func check(_ action: SessionAction, _ event: SessionEvent, _ sender: Stage?) {
        if isRevoked { fault = "\(action) after the revocation" }
        switch action {
        case .connect(let id, let path):
            if paths[id] != nil { fault = "an attempt with the number of another one" }
            if !offered.contains(path) { fault = "a path that was not offered" }
            if case .live(let session) = machine.phase, !session.isSuspect, path.reach >= session.path.reach {
                fault = "replaces a session by one on a path that is no better"
            }
            open[id] = .connecting
            paths[id] = path
        case .authenticate(let id):
            if open[id] != .connecting { fault = "asks for a session on what is not open" }
            if !allowed.contains(id) { fault = "a token for a peer that may not have it" }
            open[id] = .authenticating
        case .established(let id, let path):
            if open[id] != .authenticating { fault = "a session that nobody asked for" }
            if paths[id] != path { fault = "a session on another path than that of its attempt" }
            open[id] = .live
            ban = nil
            isShownAway = false
        case .close(let id, _):
            if open.removeValue(forKey: id) == nil { fault = "closes what is not open" }
        case .ping(let id):
            if open[id] != .live { fault = "pings a connection without a session" }
        case .revoke(let refusal):
            guard case .ended(_, .refused(refusal)) = event, sender == .live || sender == .authenticating else {
                fault = "revoked by a peer that may not have the token"
                return
            }
        case .liveness(let id, let liveness):
            if liveness != nil, open[id] != .live { fault = "liveness of a connection without a session" }
            sign = liveness
        case .report(.waiting), .report(.deferred), .report(.failed):
            isShownAway = true
        case .report(.connecting), .report(.authenticating):
            if isShownAway { fault = "reports another attempt while the gateway is away" }
        case .report:
            isShownAway = false
        }
        if case .report(.revoked) = action { isRevoked = true }
    }

    // MARK: Events

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func anyAttempt() -> AttemptID {
        if let id = open.keys.sorted().randomElement(using: &random), !chance(10) { return id }
        return AttemptID(number: Int.random(in: 1...20, using: &random))
    }

    private mutating func nextEvent() -> SessionEvent {
        if chance(40) { now += .milliseconds(Int.random(in: 0...3_000, using: &random)) }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<12: return .start
        case 12..<14: return .stop
        case 14..<15: return chance(50) ? .held(nil) : .queue
        case 15..<25: return .offer(anyOffer())
        case 25..<27: return .answered
        case 27..<32: return .wake(after: .milliseconds(chance(50) ? 0 : Int.random(in: 0...3_000, using: &random)))
        case 32..<34: return .watched(chance(50))
        case 34..<50: return .opened(anyAttempt(), chance(70) ? .allowed : .moved(.machine))
        case 50..<62: return .granted(anyAttempt(), tick: chance(50) ? .seconds(5) : nil)
        case 62..<76: return .ended(anyAttempt(), anyFailure())
        case 76..<82: return .signOfLife(anyAttempt())
        case 82..<84: return .congested(anyAttempt(), chance(50))
        case 84..<85: return .newCredential
        default:
            if let deadline = machine.deadline { now = max(now, deadline) }
            return .timePassed
        }
    }

    private mutating func anyOffer() -> PathOffer {
        func path(_ number: Int, _ reach: Reach) -> SessionPath {
            let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0000 | UInt32(number))), port: 3_000)
            return SessionPath(
                place: .endpoint(endpoint),
                reach: reach,
                policy: .certified(host: "a.example")
            )
        }
        // Some of them are remote, although they are offered as local.
        let local = (0..<Int.random(in: 0...3, using: &random)).map { path($0, chance(25) ? .remote : .local) }
        offer = PathOffer(
            local: local,
            remote: chance(40) ? [path(9, .remote)] + (chance(30) ? [path(8, .remote)] : []) : [],
            provedLast: local.first?.endpoint,
            obstacle: chance(10) ? .moved(.address) : nil
        )
        offered.formUnion(offer.all)
        return offer
    }

    private mutating func anyFailure() -> SessionFailure {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: return .unreachable
        case 4: return .blocked(.moved(.router))
        case 5: return .failed("sealed")
        case 6:
            return LeafFingerprint(bytes: Array(repeating: 7, count: 32)).map(SessionFailure.wrongLeaf) ?? .unreachable
        default:
            let reasons: [SessionRefusal.Reason] = [
                .notPaired, .removed, .rateLimited, .starting, .restarting, .scopeUpgrade, .tokenMismatch,
                .protocolMismatch,
            ]
            let reason = reasons.randomElement(using: &random) ?? .notPaired
            let times: [Duration?] = [nil, .zero, .milliseconds(300), .seconds(4), .seconds(40)]
            return .refused(
                SessionRefusal(
                    dialect: .openClaw,
                    reason: reason,
                    credential: .deviceToken,
                    retryAfter: times.randomElement(using: &random) ?? nil
                )
            )
        }
    }
}
