import DNSSD
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Pairing

/// Sessions in Clawline's dialect: sought at its pace, within its limits, and not fought over.
@Suite struct ClawlineMannersTests: MachineScript {
    var machine: SessionMachine<SeededGenerator>
    var now: ContinuousClock.Instant

    init() {
        now = .now
        machine = SessionMachine(generator: SeededGenerator(seed: 1), now: now, manners: SessionManners(.clawline))
    }

    private static func refusal(_ reason: String) -> SessionFailure {
        .refused(SessionRefusal(clawline: reason, credential: .deviceToken))
    }

    /// Whatever wakes it, and however each attempt ends, a session is never asked for more than five times in a minute, in
    /// ten hours of failures.
    @Test(arguments: 1...8)
    mutating func noMinuteHasMoreThanFiveRequests(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (pending, open): ([AttemptID], [AttemptID]) = ([], [])
        var requests: [ContinuousClock.Instant] = []
        var at = now
        func note(_ actions: [SessionAction]) {
            for action in actions {
                switch action {
                case .connect(let id, _): pending.append(id)
                case .authenticate(let id):
                    requests.append(at)
                    open.append(id)
                case .close(let id, _):
                    pending.removeAll { $0 == id }
                    open.removeAll { $0 == id }
                default: break
                }
            }
        }
        note(tell(.offer(PathOffer(local: [Self.lan, Self.path(2)], remote: [Self.tunnel]))))
        note(tell(.start))
        let end = now + .seconds(36_000)
        while now < end {
            at = now
            switch Int.random(in: 0..<8, using: &random) {
            case 0: note(tell(.wake(after: .zero)))
            case 1: note(tell(.answered))
            case 2: note(tell(.start))
            case 3 where !pending.isEmpty: note(tell(.opened(pending.removeFirst(), .allowed)))
            case 4 where !pending.isEmpty: note(tell(.ended(pending.removeFirst(), .unreachable)))
            case 5 where !open.isEmpty:
                note(tell(.granted(open[0], tick: nil)))
            case 6 where !open.isEmpty:
                let reasons = ["rate_limited", "session_replaced", "device_not_approved", "server_error"]
                let failure =
                    Bool.random(using: &random)
                    ? .unreachable : Self.refusal(reasons[Int.random(in: 0..<4, using: &random)])
                note(tell(.ended(open.removeFirst(), failure)))
            default:
                at = max(now, min(machine.deadline ?? now + .seconds(5), now + .seconds(10)))
                note(tell(.timePassed, after: at - now))
            }
        }
        #expect(requests.count > 500)
        for (first, sixth) in zip(requests, requests.dropFirst(5)) { #expect(sixth - first > .seconds(60)) }
    }

    /// The times between attempts: 1 s, doubled up to 30 s, each up to a second longer.
    @Test mutating func theBackOffDoublesUpToHalfAMinute() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        var attempt = try #require(connects(tell(.start)).first?.id)
        for expected in [1, 2, 4, 8, 16, 30, 30] {
            _ = tell(.ended(attempt, .unreachable))
            let start = now
            attempt = try #require(connects(turnToDeadline()).first?.id)
            #expect((Duration.seconds(expected)...(.seconds(expected + 1))).contains(now - start))
        }
    }

    /// A session that another connection has taken is not taken back before the user asks for it.
    @Test mutating func aReplacedSessionWaitsForTheUser() throws {
        let id = try connect()
        _ = tell(.ended(id, Self.refusal("session_replaced")), after: .seconds(60))
        #expect(machine.deadline == nil)
        let unasked = tell(.wake(after: .zero), after: .seconds(3_600)) + tell(.answered)
        #expect(connects(unasked).isEmpty)
        let asked = tell(.start)
        #expect(connects(asked).count == 1)
    }

    /// A session that its own successor has replaced is no loss.
    @Test mutating func itsOwnSuccessorIsNoStranger() throws {
        _ = tell(.offer(PathOffer(remote: [Self.tunnel])))
        let remote = try #require(connects(tell(.start)).first?.id)
        _ = tell(.opened(remote, .allowed))
        _ = tell(.granted(remote, tick: nil))
        let local = try #require(
            connects(tell(.offer(PathOffer(local: [Self.lan], remote: [Self.tunnel])), after: .seconds(60))).first?.id
        )
        #expect(tell(.opened(local, .allowed)).contains(.authenticate(local)))
        let replaced = tell(.ended(remote, Self.refusal("session_replaced")))
        #expect(!replaced.contains(.close(local, code: 1_000)))
        #expect(tell(.granted(local, tick: nil)).contains(.established(local, Self.lan)))
    }

    /// A device that is not approved keeps its pairing, and asks every 30 s.
    @Test mutating func anUnapprovedDeviceAsksEveryHalfMinute() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        var attempt = try #require(connects(tell(.start)).first?.id)
        for _ in 0..<10 {
            _ = tell(.opened(attempt, .allowed))
            let actions = tell(.ended(attempt, Self.refusal("device_not_approved")))
            #expect(!actions.contains { if case .revoke = $0 { true } else { false } })
            let start = now
            attempt = try #require(connects(turnToDeadline()).first?.id)
            #expect((Duration.seconds(30)...(.seconds(36))).contains(now - start))
        }
    }

    /// A silent provider is dead as soon as any other gateway is, though its own document allows 90 s: the agent tells of its
    /// death after the same time, and a session that is called *connected* beside that would contradict it.
    @Test mutating func aSilentProviderIsDeadAsSoonAsAnyGateway() throws {
        let id = try connect()
        var closed: ContinuousClock.Instant?
        var asked: ContinuousClock.Instant?
        while closed == nil, machine.deadline != nil {
            let actions = turnToDeadline()
            if asked == nil, actions.contains(.ping(id)) { asked = now }
            if actions.contains(.close(id, code: 4_000)) { closed = now }
            for attempt in connects(actions) { _ = tell(.ended(attempt.id, .unreachable)) }
        }
        #expect(try #require(closed) - #require(asked) == LiveSession.longestSilence)
    }
}
