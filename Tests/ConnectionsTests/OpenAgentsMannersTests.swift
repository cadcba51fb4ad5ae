import Constellation
import DNSSD
import GatewayProtocol
import PairingStore
import TestSupport
import Testing

@testable import Connections

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
            let start = now
            let unasked = tell(.wake(after: .zero), after: .seconds(1)) + tell(.answered, after: .seconds(1))
            #expect(connects(unasked).isEmpty)
            attempt = try #require(connects(turnToDeadline()).first?.id)
            #expect((Duration.seconds(60)...(.seconds(72))).contains(now - start))
        }
    }

    /// A new token is tried at once.
    @Test mutating func aNewTokenIsTriedAtOnce() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        let attempt = try #require(connects(tell(.start)).first?.id)
        _ = refuse(attempt)
        #expect(connects(tell(.newCredential)).count == 1)
    }

    /// A gateway that greets everybody and hangs up at once is not asked in a loop either.
    @Test mutating func whoGreetsAndHangsUpIsAskedLessAndLess() throws {
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
