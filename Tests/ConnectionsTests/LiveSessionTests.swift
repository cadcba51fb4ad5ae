import Constellation
import DNSSD
import GatewayProtocol
import PairingStore
import TestSupport
import Testing

@testable import Connections

/// A session that is established.
@Suite struct LiveSessionTests: MachineScript {
    var machine: SessionMachine<SeededGenerator>
    var now: ContinuousClock.Instant

    init() {
        now = .now
        machine = SessionMachine(generator: SeededGenerator(seed: 1), now: now)
    }

    @Test mutating func aSessionThatLastedIsSoughtAtOnceWhenItEnds() throws {
        let id = try connect()
        #expect(!connects(tell(.ended(id, .unreachable), after: .seconds(60))).isEmpty)
    }

    @Test mutating func aSessionThatEndsAtOnceIsSoughtLater() throws {
        let id = try connect()
        #expect(connects(tell(.ended(id, .unreachable), after: .milliseconds(50))).isEmpty)
        guard case .waiting = machine.state else {
            Issue.record("expected to wait, found \(machine.state)")
            return
        }
    }

    @Test mutating func signsOfLifeAreAskedForAsOftenAsSomebodyWatches() throws {
        let id = try connect()
        let start = now
        #expect(turnToDeadline().contains(.ping(id)))
        #expect(now - start == .seconds(30))
        _ = tell(.heard(id))
        _ = tell(.watched(true))
        #expect(turnToDeadline().contains(.ping(id)))
        #expect(now - start == .seconds(32))
    }

    @Test(arguments: [(1, 2), (40, 2), (100, 5), (500, 25), (600, 30), (2_000, 30)])
    mutating func manyWatchedSessionsShareTheQuestions(count: Int, seconds: Int) throws {
        let id = try connect()
        let start = now
        _ = tell(.watched(true, among: count))
        #expect(turnToDeadline().contains(.ping(id)))
        #expect(now - start == .seconds(seconds))
    }

    @Test mutating func silenceIsDoubtedAndThenGivenUp() throws {
        let id = try connect()
        _ = turnToDeadline()
        let asked = now
        let doubted = turnToDeadline()
        #expect(now - asked == .seconds(5))
        #expect(doubted.contains(.liveness(id, .suspect)))
        // The second question goes over a fresh connection.
        #expect(connects(doubted).count == 1)
        #expect(machine.state == .connected(Self.lan))
        var actions: [SessionAction] = []
        for _ in 0..<8 where machine.state.isConnected { actions = turnToDeadline() }
        #expect(actions.contains(.close(id, code: 4_000)))
        #expect(now - asked == .seconds(10))
        // The fresh one goes on.
        #expect(machine.state == .connecting)
    }

    @Test mutating func anAnswerInTimeEndsTheDoubt() throws {
        let id = try connect()
        _ = turnToDeadline()
        let fresh = try #require(connects(turnToDeadline()).first?.id)
        let actions = tell(.heard(id))
        #expect(actions.contains(.liveness(id, .answering)))
        #expect(actions.contains(.close(fresh, code: 1_000)))
        #expect(machine.state == .connected(Self.lan))
    }

    @Test mutating func twoTicksThatDoNotComeEndTheSession() throws {
        let id = try connect(tick: .seconds(3))
        let start = now
        var actions: [SessionAction] = []
        for _ in 0..<8 where machine.state.isConnected { actions = turnToDeadline() }
        #expect(actions.contains(.close(id, code: 4_000)))
        #expect(now - start == .seconds(6))
    }

    @Test mutating func whoDoesNotTakeWhatComesDoesNotLoseTheSession() throws {
        let id = try connect(tick: .seconds(3))
        _ = tell(.congested(id, true))
        #expect(machine.deadline == nil)
        #expect(tell(.timePassed, after: .seconds(600)).isEmpty)
        _ = tell(.congested(id, false))
        #expect(machine.deadline != nil)
    }

    @Test mutating func afterSleepItIsDoubtedSooner() throws {
        let id = try connect()
        #expect(tell(.wake(after: .zero), after: .seconds(3_600 / 200)).contains(.ping(id)))
        let start = now
        #expect(turnToDeadline().contains(.liveness(id, .suspect)))
        #expect(now - start == .seconds(1))
    }

    @Test mutating func theNewSessionIsUpBeforeTheOldOneCloses() throws {
        _ = tell(.offer(PathOffer(remote: [Self.tunnel])))
        let remote = try #require(connects(tell(.start)).first?.id)
        _ = tell(.opened(remote, .allowed))
        _ = tell(.granted(remote, tick: nil))
        #expect(machine.state == .connected(Self.tunnel))
        let back = tell(.offer(PathOffer(local: [Self.lan], remote: [Self.tunnel])), after: .seconds(40))
        let local = try #require(connects(back).first?.id)
        #expect(!back.contains(.close(remote, code: 1_000)))
        #expect(tell(.opened(local, .allowed)).contains(.authenticate(local)))
        let actions = tell(.granted(local, tick: nil))
        #expect(actions.contains(.close(remote, code: 1_000)))
        #expect(actions.contains(.established(local, Self.lan)))
        #expect(machine.state == .connected(Self.lan))
        #expect(tell(.ended(remote, .unreachable)).isEmpty)
    }

    @Test mutating func aWayBackThatFailsDisturbsNothing() throws {
        _ = tell(.offer(PathOffer(remote: [Self.tunnel])))
        let remote = try #require(connects(tell(.start)).first?.id)
        _ = tell(.opened(remote, .allowed))
        _ = tell(.granted(remote, tick: nil))
        let back = tell(.offer(PathOffer(local: [Self.lan], remote: [Self.tunnel])))
        let local = try #require(connects(back).first?.id)
        #expect(tell(.ended(local, .unreachable)).isEmpty)
        #expect(machine.state == .connected(Self.tunnel))
        // It is tried again later.
        let start = now
        #expect(connects(turnToDeadline()).map(\.path) == [Self.lan])
        #expect(now - start >= .seconds(5))
    }

    @Test mutating func stoppingClosesEverything() throws {
        let id = try connect()
        let actions = tell(.stop)
        #expect(actions.contains(.close(id, code: 1_000)))
        #expect(machine.state == .stopped)
        #expect(machine.deadline == nil)
    }
}
