import Constellation
import DNSSD
import GatewayProtocol
import PairingStore
import TestSupport
import Testing

@testable import Connections

/// Any sequence of events, also such as no gateway and no network would bring about, with a turned clock.
@Suite struct SessionSequenceTests {
    @Test func noSequenceOfEventsBreaksTheRules() {
        var seeds = SeededGenerator.forFuzzing("sessions")
        for _ in 0..<TestCases.count(100_000) {
            var sequence = SessionSequence(seed: seeds.next())
            if let fault = sequence.run(events: 40) {
                Issue.record("\(fault)")
                return
            }
        }
    }
}

/// One sequence, and what the rules say about each step of it.
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

    /// The connections that are open, as whoever runs the machine has them.
    private var open: [AttemptID: Stage] = [:]
    private var paths: [AttemptID: SessionPath] = [:]
    private var allowed: Set<AttemptID> = []
    private var offered: Set<SessionPath> = []
    private var isRevoked = false
    private var fault: String?

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        machine = SessionMachine(generator: SeededGenerator(seed: seed ^ 1), now: now)
    }

    /// Runs it.
    ///
    /// - Returns: The rule that was broken.
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
        var sender: Stage?
        if case .ended(let id, _) = event { sender = open.removeValue(forKey: id) }
        if case .opened(let id, let decision) = event, open[id] == .connecting {
            if decision.isAllowed { allowed.insert(id) } else { allowed.remove(id) }
        }
        let actions = machine.handle(event, at: now)
        for action in actions { check(action, event, sender) }
        let after = machine.state
        if open.values.count(where: { $0 == .live }) > 1 { fault = "two sessions" }
        if open.values.count(where: { $0 == .authenticating }) > 1 { fault = "two ask for a session" }
        let isSuspect = if case .live(let session) = machine.phase { session.isSuspect } else { false }
        switch after {
        case .connected:
            if !open.values.contains(.live) { fault = "connected without a session" }
        case .stopped, .held, .idle, .waiting, .deferred, .refused, .revoked, .failed:
            if !open.isEmpty { fault = "connections left open in \(after)" }
        case .connecting, .authenticating:
            if open.values.contains(.live) { fault = "a session that is not shown" }
        case .moved, .changedLeaf:
            // One that does not answer any more, while its gateway is seen elsewhere.
            if open.values.contains(.live), !isSuspect { fault = "a session that is not shown" }
        }
        if case .waiting(let until) = after, machine.deadline != until { fault = "waits without a deadline" }
        let isBound = actions.contains { if case .connect = $0 { true } else { false } }
        guard isBound else { return }
        switch (before, event) {
        case (.stopped, .start), (.failed, .start), (.refused, .start), (.held, .start), (.refused, .newCredential),
            (.revoked, .newCredential):
            break
        case (.stopped, _), (.failed, _), (.refused, _), (.held, _), (.revoked, _): fault = "connects from \(before)"
        case (.deferred(_, let until), _): if now < until { fault = "connects before the time it was told" }
        default: break
        }
    }

    private mutating func check(_ action: SessionAction, _ event: SessionEvent, _ sender: Stage?) {
        if isRevoked { fault = "\(action) after the end" }
        switch action {
        case .connect(let id, let path):
            if paths[id] != nil { fault = "a number twice" }
            if !offered.contains(path) { fault = "a way that nobody offered" }
            open[id] = .connecting
            paths[id] = path
        case .authenticate(let id):
            if open[id] != .connecting { fault = "asks for a session on what is not open" }
            if !allowed.contains(id) { fault = "a token to one that may not have it" }
            open[id] = .authenticating
        case .established(let id, let path):
            if open[id] != .authenticating { fault = "a session that nobody asked for" }
            if paths[id] != path { fault = "a session on another way" }
            open[id] = .live
        case .close(let id, _):
            if open.removeValue(forKey: id) == nil { fault = "closes what is not open" }
        case .ping(let id):
            if open[id] != .live { fault = "asks one that has no session" }
        case .revoke(let refusal):
            guard case .ended(_, .refused(refusal)) = event, sender == .live || sender == .authenticating else {
                fault = "revoked by one that may not have the token"
                return
            }
        case .liveness, .report:
            break
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
        case 14..<15: return .held(nil)
        case 15..<25: return .offer(anyOffer())
        case 25..<32: return .wake(after: .milliseconds(chance(50) ? 0 : Int.random(in: 0...3_000, using: &random)))
        case 32..<34: return .watched(chance(50))
        case 34..<50: return .opened(anyAttempt(), chance(70) ? .allowed : .moved(.machine))
        case 50..<62: return .granted(anyAttempt(), tick: chance(50) ? .seconds(5) : nil)
        case 62..<76: return .ended(anyAttempt(), anyFailure())
        case 76..<82: return .heard(anyAttempt())
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
                resource: "/",
                policy: .certified(host: "a.example")
            )
        }
        let local = (0..<Int.random(in: 0...3, using: &random)).map { path($0, .local) }
        let offer = PathOffer(
            local: local,
            remote: chance(40) ? [path(9, .remote)] : [],
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
            return .refused(SessionRefusal(dialect: .openClaw, reason: reason, credential: .deviceToken))
        }
    }
}
