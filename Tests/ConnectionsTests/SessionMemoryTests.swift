import DNSSD
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Pairing

/// Facts that a session's machine remembers from one attempt to the next, and those that it forgets with a success.
@Suite struct SessionMemoryTests: MachineScript {
    var machine: SessionMachine<SeededGenerator>
    var now: ContinuousClock.Instant

    init() {
        now = .now
        machine = SessionMachine(generator: SeededGenerator(seed: 1), now: now)
    }

    /// Makes attempts fail, and returns the time of the last wait between them.
    private mutating func fail(_ first: AttemptID, times: Int) throws -> Duration {
        var (id, wait) = (first, Duration.zero)
        for _ in 0..<times {
            _ = tell(.ended(id, .unreachable))
            let start = now
            id = try #require(connects(turnToDeadline()).first?.id)
            wait = now - start
        }
        return wait
    }

    /// Establishes a session through the tunnel.
    private mutating func connectThroughTunnel() throws -> AttemptID {
        _ = tell(.offer(PathOffer(remote: [Self.tunnel])))
        let id = try #require(connects(tell(.start)).first?.id)
        _ = tell(.opened(id, .allowed))
        _ = tell(.granted(id, tick: nil))
        return id
    }

    // MARK: Back-off

    /// A session that was stable ends the memory of former failures; one that ended at once does not.
    @Test(arguments: [true, false]) mutating func onlyAStableSessionForgetsFailures(isStable: Bool) throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        let first = try #require(connects(tell(.start)).first?.id)
        #expect(try fail(first, times: 8) > .seconds(10))
        let id = try #require(attempts.first)
        _ = tell(.opened(id, .allowed))
        _ = tell(.granted(id, tick: nil))
        let actions = tell(.ended(id, .unreachable), after: isStable ? LiveSession.stableAge : .seconds(1))
        let again = try #require((isStable ? connects(actions) : connects(turnToDeadline())).first?.id)
        let wait = try fail(again, times: 1)
        #expect(isStable ? wait < .seconds(1) : wait > .seconds(10))
    }

    private var attempts: [AttemptID] {
        if case .seeking(let round) = machine.phase { round.attempts.map(\.id) } else { [] }
    }

    // MARK: Obstacles and states

    /// An obstacle from before a session is started again is not shown until it is met again.
    @Test mutating func aNewStartShowsNoFormerObstacle() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        let id = try #require(connects(tell(.start)).first?.id)
        _ = tell(.opened(id, .moved(.machine)))
        #expect(machine.state == .moved(.machine))
        _ = tell(.stop)
        _ = tell(.start)
        #expect(machine.state == .connecting)
    }

    /// The end of a session is reported, and what an attempt beside it has met is shown from then on.
    @Test mutating func theEndOfASessionShowsWhatItsSuccessorHasMet() throws {
        let id = try connect()
        _ = tell(.offer(PathOffer(local: [Self.lan, Self.path(2)])))
        _ = tell(.wake(after: .zero), after: .seconds(1))
        let beside = try #require(connects(turnToDeadline()).first?.id)
        _ = tell(.opened(beside, .moved(.router)))
        let actions = tell(.ended(id, .unreachable))
        #expect(actions.contains(.liveness(id, nil)))
        #expect(machine.state == .moved(.router))
    }

    /// A wait that was shown before a session is not shown again after it, when another attempt is under way.
    @Test mutating func aFormerWaitIsNotShownAfterASession() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        let first = try #require(connects(tell(.start)).first?.id)
        _ = tell(.ended(first, .unreachable))
        let id = try #require(connects(turnToDeadline()).first?.id)
        guard case .waiting = machine.state else {
            Issue.record("expected the wait to be shown during the second attempt, found \(machine.state)")
            return
        }
        _ = tell(.opened(id, .allowed))
        _ = tell(.granted(id, tick: nil))
        _ = tell(.wake(after: .zero), after: .seconds(20))
        #expect(!connects(turnToDeadline()).isEmpty, "another attempt beside the suspect session")
        _ = tell(.ended(id, .unreachable))
        #expect(machine.state == .connecting)
    }

    // MARK: Doubts

    /// A session that was doubted sooner after a change is as patient as before once it has given a sign of life.
    @Test mutating func aSignOfLifeMakesItPatientAgain() throws {
        let id = try connect()
        #expect(tell(.wake(after: .zero), after: .seconds(1)).contains(.ping(id)))
        _ = tell(.signOfLife(id), after: .milliseconds(100))
        #expect(turnToDeadline().contains(.ping(id)))
        let asked = now
        var actions: [SessionAction] = []
        while !actions.contains(.liveness(id, .suspect)), now - asked < .seconds(30) { actions = turnToDeadline() }
        #expect(now - asked == LiveSession.answerTimeout)
    }

    // MARK: A better path

    /// A better path that fails is tried after 5 s, then after 10 s, and so on, at most once a minute.
    @Test mutating func aBetterPathIsTriedLessAndLessOften() throws {
        _ = try connectThroughTunnel()
        _ = tell(.offer(PathOffer(local: [Self.lan], remote: [Self.tunnel])))
        var waits: [Duration] = []
        for _ in 0..<6 {
            let id = try #require(successors.first)
            _ = tell(.ended(id, .unreachable))
            let start = now
            while successors.isEmpty, now - start < .seconds(120) {
                for case .ping(let id) in turnToDeadline() { _ = tell(.signOfLife(id)) }
            }
            waits.append(now - start)
        }
        #expect(waits == [5, 10, 20, 40, 60, 60].map { .seconds($0) })
    }

    /// A change is a reason to try a better path at once, whenever its next turn would be.
    @Test mutating func aChangeBringsTheBetterPathForward() throws {
        let id = try connectThroughTunnel()
        let back = tell(.offer(PathOffer(local: [Self.lan], remote: [Self.tunnel])))
        _ = tell(.ended(try #require(connects(back).first?.id), .unreachable))
        let start = now
        var tried = connects(tell(.wake(after: .zero), after: .seconds(2)))
        _ = tell(.signOfLife(id))
        if tried.isEmpty { tried = connects(tell(.timePassed)) }
        #expect(tried.map(\.path) == [Self.lan])
        #expect(now - start == .seconds(2))
    }

    /// A better path that has failed while the session was doubted is tried again once the doubt is over.
    @Test mutating func aBetterPathIsNotForgottenWithADoubt() throws {
        let id = try connectThroughTunnel()
        _ = tell(.wake(after: .zero), after: .seconds(1))
        #expect(turnToDeadline().contains(.liveness(id, .suspect)))
        var found = connects(tell(.offer(PathOffer(local: [Self.lan], remote: [Self.tunnel]))))
        for _ in 0..<4 where !found.contains(where: { $0.path == Self.lan }) { found += connects(turnToDeadline()) }
        let better = try #require(found.first { $0.path == Self.lan }?.id)
        _ = tell(.ended(better, .unreachable))
        _ = tell(.signOfLife(id))
        #expect(machine.state == .connected(Self.tunnel))
        #expect(live(for: .seconds(6)).map(\.path).contains(Self.lan))
    }

    private var successors: [AttemptID] {
        if case .live(let session) = machine.phase { session.successor?.attempts.map(\.id) ?? [] } else { [] }
    }
}
