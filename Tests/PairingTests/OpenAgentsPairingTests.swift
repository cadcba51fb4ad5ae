import DNSSD
import GatewayClient
import GatewayProtocol
import ReferenceGateway
import Synchronization
import Testing

@testable import Pairing

/// Pairing with a gateway of OpenAgents, which has one token for all devices: its user gives it, and it is kept once the
/// gateway has taken it.
@Suite struct OpenAgentsPairingTests {
    /// Returns a machine that has identified a gateway.
    private func machine(_ offer: PairingOffer) -> PairingMachine {
        var machine = PairingMachine(PairingTarget(place: .endpoints([PairingSamples.endpoint])))
        _ = machine.handle(.began, at: 0)
        _ = machine.handle(.resolved([offer.endpoint]), at: 0)
        _ = machine.handle(.identified(offer), at: 0)
        return machine
    }

    private static func refusal(_ reason: SessionRefusal.Reason) -> SessionRefusal {
        SessionRefusal(dialect: .openAgents, reason: reason, credential: .none)
    }

    /// The token is asked for once the user has consented, and again after a wrong one, but not without end.
    @Test func theTokenIsAskedFor() throws {
        var machine = machine(try PairingSamples.offer(.openAgents, leaf: PairingSamples.leaf(7)))
        _ = machine.handle(.confirmed(PairingConsent()), at: 0)
        _ = machine.handle(.refused(Self.refusal(.tokenMissing)), at: 0)
        for count in 0..<PairingMachine.mostSecrets {
            guard case .secretNeeded(let question) = machine.state else {
                Issue.record("expected a question, found \(machine.state)")
                return
            }
            #expect(question.kinds == [.sharedToken])
            #expect(count == 0 || question.message.contains("hung up"), "\(question.message)")
            let actions = machine.handle(.secretGiven(SecretAnswer(.sharedToken, Secret("t\(count)"))), at: 0)
            guard case .pair(let attempt)? = actions.first else {
                Issue.record("expected an attempt, found \(actions)")
                return
            }
            #expect(attempt.credential == .sharedToken(Secret("t\(count)")))
            _ = machine.handle(.refused(Self.refusal(.hungUp)), at: 0)
        }
        _ = machine.handle(.secretGiven(SecretAnswer(.sharedToken, Secret("another"))), at: 0)
        guard case .failed(let error) = machine.state else { throw CancellationError() }
        #expect(error.code == .tooManySecrets)
    }

    /// Without TLS it is trusted at its address alone, and its token goes there only with the consent to that.
    @Test func withoutTLSItsTokenNeedsAConsent() throws {
        let offer = try PairingSamples.offer(.openAgents)
        #expect(offer.plainChoices == [.address])
        var machine = machine(offer)
        _ = machine.handle(.confirmed(PairingConsent(plainTrust: .address)), at: 0)
        _ = machine.handle(.refused(Self.refusal(.tokenMissing)), at: 0)
        #expect(machine.handle(.secretGiven(SecretAnswer(.sharedToken, Secret("t"))), at: 0).isEmpty)
        guard case .secretNeeded(let question) = machine.state else {
            Issue.record("expected a question, found \(machine.state)")
            return
        }
        #expect(
            question.message.contains("in clear") && !question.message.contains("setup code"),
            "\(question.message)"
        )
        let answer = SecretAnswer(.sharedToken, Secret("t"), sendsInClear: true)
        #expect(!machine.handle(.secretGiven(answer), at: 0).isEmpty)
    }

    /// Out of local networks it goes nowhere without TLS.
    @Test func itsTokenStaysInLocalNetworks() throws {
        for (text, isAllowed) in [
            ("127.0.0.1", true), ("10.0.0.2", true), ("192.168.1.2", true), ("100.64.0.1", true), ("fe80::1", true),
            ("fd00::1", true), ("203.0.113.9", false), ("2001:db8::1", false),
        ] {
            let address = try #require(IPAddress(text))
            #expect(GatewayDialect.openAgents.maySendItsToken(inClearTo: address) == isAllowed, "\(text)")
            #expect(GatewayDialect.openClaw.maySendItsToken(inClearTo: address))
        }
    }

    /// With a consent in advance its token goes only to a gateway that is proved, as OpenClaw's does; another is not even
    /// asked.
    @Test(arguments: PairingProof.allCases) func itsTokenGoesUnseenOnlyToAProvedGateway(proof: PairingProof) throws {
        let offer = try PairingSamples.offer(.openAgents, leaf: PairingSamples.leaf(7), proof: proof)
        var known = machine(offer)
        let actions = known.handle(.confirmed(PairingConsent(isInAdvance: true, secrets: [.sharedToken])), at: 0)
        #expect(actions.isEmpty == (proof == .unproved))
        // A token that was not announced is held to the same rule.
        var late = machine(offer)
        _ = late.handle(.confirmed(PairingConsent(isInAdvance: true)), at: 0)
        _ = late.handle(.refused(Self.refusal(.tokenMissing)), at: 0)
        _ = late.handle(.secretGiven(SecretAnswer(.sharedToken, Secret("t"), sendsInClear: true)), at: 0)
        for machine in [known, late] {
            if case .failed(let error) = machine.state {
                #expect(error.code == .unproved && proof == .unproved)
            } else {
                #expect(proof != .unproved)
            }
        }
    }
}

extension PairingCoordinatorTests {
    /// Runs a gateway of OpenAgents while a closure runs.
    private func openAgents(tls: Bool = true, _ body: @escaping @Sendable (House) async throws -> Void) async throws {
        try await with(tls: tls, .openAgents, change: { $0.openAgentsToken = Secret("the-token") }, body)
    }

    private static func target(_ house: House) -> PairingTarget {
        PairingTarget(place: .endpoints([house.server.endpoint]), dialect: .openAgents)
    }

    /// A wrong token is asked for again; the right one is stored, and opens sessions. Nothing is sent before the token.
    @Test func theTokenOfOpenAgentsIsKept() async throws {
        try await openAgents { house in
            let asked = Mutex<[String]>([])
            let id = try await house.coordinator.pair(Self.target(house)) { state in
                switch state {
                case .confirming: return .confirm(PairingConsent())
                case .secretNeeded(let question):
                    let count = asked.withLock { asked in
                        asked.append(question.message)
                        return asked.count
                    }
                    return .secret(SecretAnswer(.sharedToken, Secret(count == 1 ? "wrong" : "the-token")))
                default: return nil
                }
            }
            #expect(asked.withLock(\.count) == 2)
            #expect(asked.withLock { $0.last }?.contains("hung up") == true)
            let pairing = try #require(try house.store.pairing(id))
            let credential = try #require(pairing.credentials.first)
            #expect(pairing.bots.map(\.id.text) == ["openagents"])
            let secret = try house.store.secret(of: credential.id, in: id)
            #expect(secret == Secret("the-token"))
            let request = SessionRequest(
                dialect: .openAgents,
                device: device(house.store),
                credential: .deviceToken(secret),
                time: 0,
                gate: { _, _ in }
            )
            let leaf = try #require(house.certificate?.fingerprint)
            #expect(pairing.trust == .pinned(leaf))
            let place = [house.server.endpoint]
            try await GatewayConversation.withSession(request, to: place, transport: .tls(pin: leaf)) { session, _ in
                _ = try await session.ping()
            }
            guard case .onlyHere(let reason) = try await house.coordinator.unpair(id) else { throw CancellationError() }
            #expect(reason.contains("knows no devices"))
        }
    }

    /// A gateway whose token has changed is paired again: the new token takes the place of the old one.
    @Test func aChangedTokenOfOpenAgentsReplacesTheOldOne() async throws {
        try await openAgents { house in
            func pair(_ token: String) async throws -> PairingID {
                try await house.coordinator.pair(Self.target(house)) { state in
                    switch state {
                    case .confirming: .confirm(PairingConsent(isInAdvance: true, secrets: []))
                    case .secretNeeded: .secret(SecretAnswer(.sharedToken, Secret(token)))
                    default: nil
                    }
                }
            }
            let seen = try await house.coordinator.pair(Self.target(house)) { state in
                switch state {
                case .confirming: .confirm(PairingConsent())
                case .secretNeeded: .secret(SecretAnswer(.sharedToken, Secret("the-token")))
                default: nil
                }
            }
            await house.server.change { $0.openAgentsToken = Secret("the-new-token") }
            #expect(try await pair("the-new-token") == seen)
            let credentials = try #require(try house.store.pairing(seen)).credentials
            #expect(credentials.count == 1)
            #expect(try house.store.secret(of: credentials[0].id, in: seen) == Secret("the-new-token"))
        }
    }

    /// Without TLS its token is tried, and not stored: each session asks for it.
    @Test func theTokenOfOpenAgentsWithoutTLSIsNotKept() async throws {
        try await openAgents(tls: false) { house in
            let id = try await house.coordinator.pair(Self.target(house)) { state in
                switch state {
                case .confirming: .confirm(PairingConsent(plainTrust: .address))
                case .secretNeeded: .secret(SecretAnswer(.sharedToken, Secret("the-token"), sendsInClear: true))
                default: nil
                }
            }
            let pairing = try #require(try house.store.pairing(id))
            let credential = try #require(pairing.credentials.first)
            #expect(pairing.needsTypedToken)
            #expect(try house.store.secret(of: credential.id, in: id).isEmpty)
        }
    }
}
