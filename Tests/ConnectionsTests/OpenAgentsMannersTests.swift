import DNSSD
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Pairing

/// Sessions in the dialect of OpenAgents, whose gateways only ever hang up: the pairing stays, and they are not asked in a
/// loop.
@Suite struct OpenAgentsMannersTests: MachineScript {
    var machine: SessionMachine<SeededGenerator>
    var now: ContinuousClock.Instant

    init() {
        now = .now
        machine = SessionMachine(generator: SeededGenerator(seed: 1), now: now, manners: SessionManners(.openAgents))
    }

    private static let refusal = SessionRefusal(dialect: .openAgents, reason: .hungUp, credential: .deviceToken)

    /// Sends a refusal in answer to the token, and returns the actions.
    private mutating func refuse(_ id: AttemptID) -> [SessionAction] {
        #expect(tell(.opened(id, .allowed)).contains(.authenticate(id)))
        return tell(.ended(id, .refused(Self.refusal)))
    }

    /// A gateway that hangs up on the token keeps its pairing, is shown with the reason, and is asked once in a minute or
    /// so, whatever happens meanwhile.
    @Test mutating func whoHangsUpIsAskedOnceAMinute() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        var attempt = try #require(connects(tell(.start)).first?.id)
        for _ in 0..<10 {
            let actions = refuse(attempt)
            #expect(!actions.contains { if case .revoke = $0 { true } else { false } })
            guard case .deferred(Self.refusal, until: _) = machine.state else {
                Issue.record("expected the refusal, found \(machine.state)")
                return
            }
            // Every view says that it refuses: that something is to be done is not hidden in a wait.
            #expect(machine.state.paired == .refused)
            let start = now
            let unasked = tell(.wake(after: .zero), after: .seconds(1)) + tell(.answered, after: .seconds(1))
            #expect(connects(unasked).isEmpty)
            attempt = try #require(connects(turnToDeadline()).first?.id)
            #expect((Duration.seconds(60)...(.seconds(72))).contains(now - start))
        }
    }

    /// A new token is tried at once: after a refusal, and also while the old one is being tried, whose answer comes too late
    /// then.
    @Test(arguments: [true, false]) mutating func aNewTokenIsTriedAtOnce(isRefused: Bool) throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        let attempt = try #require(connects(tell(.start)).first?.id)
        if isRefused { _ = refuse(attempt) } else { _ = tell(.opened(attempt, .allowed)) }
        let actions = tell(.newCredential)
        let next = try #require(connects(actions).first?.id)
        #expect(actions.contains(.close(attempt, code: 1_000)) == !isRefused)
        _ = tell(.ended(attempt, .refused(Self.refusal)))
        #expect(tell(.opened(next, .allowed)).contains(.authenticate(next)))
    }

    /// A refusal of the old token in answer to a search beside a session says nothing of a new one.
    @Test mutating func aNewTokenEndsTheBanOfTheOld() throws {
        _ = tell(.offer(PathOffer(remote: [Self.tunnel])))
        let first = try #require(connects(tell(.start)).first?.id)
        _ = tell(.opened(first, .allowed))
        _ = tell(.granted(first, tick: nil))
        let better = try #require(connects(tell(.offer(PathOffer(local: [Self.lan], remote: [Self.tunnel])))).first?.id)
        _ = refuse(better)
        #expect(connects(tell(.newCredential)).map(\.path) == [Self.lan])
    }

    /// A gateway that has taken the token, and ends each session soon after, is not asked in a loop either.
    @Test mutating func whoEndsEachSessionIsAskedLessAndLess() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        var attempt = try #require(connects(tell(.start)).first?.id)
        let start = now
        let closed = SessionRefusal(dialect: .openAgents, reason: .closed, credential: .deviceToken)
        for _ in 0..<20 {
            _ = tell(.opened(attempt, .allowed))
            _ = tell(.granted(attempt, tick: nil))
            let actions = tell(.ended(attempt, .refused(closed)))
            #expect(!actions.contains { if case .revoke = $0 { true } else { false } })
            attempt = try #require(connects(actions + turnToDeadline()).first?.id)
        }
        #expect(now - start > .seconds(150))
    }

    /// A greeting that comes again contains the token, and is for nobody; every other envelope is.
    @Test func aSecondGreetingIsForNobody() {
        func isForReaders(_ name: String, _ dialect: GatewayDialect) -> Bool {
            GatewayDialer.isForReaders(GatewayEvent(name: name), dialect)
        }
        #expect(!isForReaders("HelloAck", .openAgents) && !isForReaders("Hello", .openAgents))
        #expect(isForReaders("Note", .openAgents) && isForReaders("HelloAck", .optaplus))
    }
}
