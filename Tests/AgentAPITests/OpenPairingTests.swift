import DNSSD
import Foundation
import GatewayProtocol
import HTTPTypes
import Reports
import Scanning
import Testing

@testable import Agent
@testable import AgentAPI
@testable import Pairing

/// Pairings by further requests: what is asked, what counts as an answer, and what never gets out. No gateway: the steps
/// are those of the test.
@Suite(.timeLimit(.minutes(1))) struct OpenPairingTests {
    private static let digits = String(repeating: "ab", count: 32)

    private func offer(isPlain: Bool, bots: [(String, String)] = []) throws -> PairingOffer {
        let address = try #require(IPAddress("192.0.2.1", interfaces: []))
        let prefix = try #require(IPAddress("192.0.2.0", interfaces: []))
        let known = NetworkObservation.Neighbour.at([2, 0, 0, 0, 0, 1])
        return PairingOffer(
            gatewayID: .candidate(.endpoint(Endpoint(address: address, port: 1))),
            name: "Home",
            dialect: .openClaw,
            bots: try bots.map { BotDescription(id: try #require(BotID($0.0)), name: $0.1) },
            endpoint: Endpoint(address: address, port: 1),
            leaf: isPlain ? nil : LeafFingerprint(Self.digits),
            network: isPlain
                ? NetworkObservation(prefix: prefix, prefixLength: 24, router: known, gateway: known) : nil
        )
    }

    /// Runs a closure while pairings of an agent go on.
    private func withAgent(_ body: @escaping @Sendable (Agent) async throws -> Void) async throws {
        let agent = Agent(AgentConfiguration(version: "1", environment: [:]))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await agent.openPairings.run() }
            try await body(agent)
            group.cancelAll()
        }
    }

    /// Begins a pairing that asks one question, and is told the answer.
    private static func begin(
        _ agent: Agent,
        _ step: OpenPairing.Step,
        _ given: AsyncStream<PairingAnswer?>.Continuation? = nil,
        bots: [String]? = nil
    ) throws -> OpenPairing {
        var new = NewPairing(.row("x"))
        new.bots = bots
        let pairing = agent.openPairings.begin(new) { _, conversation in
            let answer = await conversation.enter(step)
            given?.yield(answer)
            guard let answer, answer != .cancel else { return .cancelled }
            return .paired(PairingID())
        }
        return try #require(pairing)
    }

    private static func wait(_ agent: Agent, _ isIt: (OpenPairing) -> Bool) async throws -> OpenPairing {
        var revision: UInt64 = 0
        while let snapshot = await agent.openPairings.snapshot(after: revision) {
            revision = snapshot.revision
            if let found = snapshot.pairings.last(where: isIt) { return found }
        }
        throw CancellationError()
    }

    private static func status(_ body: () async throws -> Void) async -> Int {
        do {
            try await body()
            return 200
        } catch let problem as APIProblem {
            return problem.status.code
        } catch let error as RadarError {
            return APIProblem(error).status.code
        } catch {
            return 0
        }
    }

    private static func reply(_ agent: Agent, _ pairing: OpenPairing, _ text: String) async -> Int {
        await status { _ = try agent.reply(Array(text.utf8), to: pairing.id) }
    }

    /// A question waits until it is answered; what is no answer to it changes nothing, and is passed on to nobody.
    @Test func onlyAnAnswerToThePresentQuestionIsPassedOn() async throws {
        let offer = try offer(isPlain: false, bots: [("b1", "Jarvis"), ("b2", "Friday"), ("b3", "Friday")])
        try await withAgent { agent in
            let (answers, given) = AsyncStream.makeStream(of: PairingAnswer?.self)
            let begun = try Self.begin(agent, .pairing(.confirming(offer)), given)
            let asked = try await Self.wait(agent) { $0.question == 1 }
            #expect(asked.id == begun.id)
            let other = String(repeating: "cd", count: 32)
            for (body, status) in [
                ("", 400), ("{}", 400), (#"{"question":1}"#, 409), (#"{"question":2,"confirm":true}"#, 409),
                (#"{"question":1,"confirm":true,"leaf":"\#(other)"}"#, 409),
                (#"{"question":1,"confirm":true,"leaf":"12"}"#, 400),
                (#"{"question":1,"confirm":true,"trust":"lan"}"#, 409),
                (#"{"question":1,"confirm":true,"bots":["Nobody"]}"#, 409),
                (#"{"question":1,"confirm":true,"bots":["Friday"]}"#, 409),
                (#"{"question":1,"confirm":true,"bots":[]}"#, 400),
                (#"{"question":1,"confirm":true,"kind":"password","secret":"x"}"#, 409),
                (#"{"question":1,"confirm":true,"yes":true}"#, 400),
            ] {
                #expect(await Self.reply(agent, begun, body) == status, "\(body)")
            }
            #expect(try agent.openPairing(begun.id).fields["question"] != .null)
            let right = #"{"question":1,"confirm":true,"leaf":"\#(Self.digits)","bots":["Jarvis","b2"]}"#
            #expect(await Self.reply(agent, begun, right) == 200)
            // The second of two who answer is told so.
            #expect(await Self.reply(agent, begun, right) == 409)
            var iterator = answers.makeAsyncIterator()
            guard case .confirm(let consent)?? = await iterator.next() else {
                Issue.record("expected a consent")
                return
            }
            #expect(consent.form == .seen)
            #expect(consent.bots == .some([try #require(BotID("b1")), try #require(BotID("b2"))]))
            let end = try await Self.wait(agent) { $0.step.isFinal }
            #expect(OpenPairingDocument(end).fields["state"] == "paired")
            #expect(OpenPairingDocument(end).fields["pairing"] != .null)
        }
    }

    /// How to trust a gateway that proves nothing is never assumed.
    @Test func withoutTLSTheAnswerSaysHowItIsTrusted() async throws {
        let offer = try offer(isPlain: true)
        try #require(offer.plainChoices == [.address, .lan])
        try await withAgent { agent in
            let (answers, given) = AsyncStream.makeStream(of: PairingAnswer?.self)
            let begun = try Self.begin(agent, .pairing(.confirming(offer)), given)
            let asked = try await Self.wait(agent) { $0.question == 1 }
            let question = try #require(OpenPairingDocument(asked).fields["question"])
            #expect(question["kind"]?.string == "confirm")
            #expect(question["trust"]?.array?.map(\.string) == ["address", "lan"])
            #expect(await Self.reply(agent, begun, #"{"question":1,"confirm":true}"#) == 409)
            #expect(await Self.reply(agent, begun, #"{"question":1,"confirm":true,"trust":"all"}"#) == 400)
            #expect(await Self.reply(agent, begun, #"{"question":1,"confirm":true,"trust":"address"}"#) == 200)
            var iterator = answers.makeAsyncIterator()
            guard case .confirm(let consent)?? = await iterator.next() else {
                Issue.record("expected a consent")
                return
            }
            #expect(consent.plainTrust == .address)
        }
    }

    /// A token of the whole gateway goes in clear only if that is said with it, and it is shown nowhere.
    @Test func aSecretIsShownNowhere() async throws {
        let rule = SecretRule(proof: .unproved, form: .seen, isPlain: true)
        let asked = SecretQuestion(kinds: [.sharedToken, .setupCode], message: "expected its token", rule: rule)
        try await withAgent { agent in
            let (answers, given) = AsyncStream.makeStream(of: PairingAnswer?.self)
            let begun = try Self.begin(agent, .pairing(.secretNeeded(asked)), given)
            _ = try await Self.wait(agent) { $0.question == 1 }
            func body(_ more: String) -> String { #"{"question":1,"kind":"sharedToken","secret":"hush-hush"\#(more)}"# }
            #expect(await Self.reply(agent, begun, body("")) == 409)
            #expect(await Self.reply(agent, begun, #"{"question":1,"kind":"password","secret":"hush-hush"}"#) == 409)
            #expect(await Self.reply(agent, begun, #"{"question":1,"secret":"hush-hush"}"#) == 400)
            #expect(await Self.reply(agent, begun, #"{"question":1,"confirm":true}"#) == 409)
            #expect(await Self.reply(agent, begun, body(#","sendsInClear":true"#)) == 200)
            var iterator = answers.makeAsyncIterator()
            let answer = await iterator.next()
            #expect(answer == .secret(SecretAnswer(.sharedToken, Secret("hush-hush"), sendsInClear: true)))
            let snapshot = agent.openPairings.snapshot
            var texts = [EventText.text(snapshot, since: nil), OpenPairingsDocument(agent).line, "\(snapshot)"]
            dump(answer, to: &texts[0])
            #expect(texts.allSatisfy { !$0.contains("hush-hush") })
        }
    }

    /// A pairing that was begun and is not looked after ends by itself, and there are never too many.
    @Test func pairingsAreBoundedInNumberAndTime() async throws {
        let offer = try offer(isPlain: false)
        try await withAgent { agent in
            var all: [OpenPairing] = []
            for _ in 0..<OpenPairings.limit { all.append(try Self.begin(agent, .pairing(.confirming(offer)))) }
            #expect(agent.openPairings.begin(NewPairing(.row("x"))) { _, _ in .cancelled } == nil)
            _ = agent.openPairings.cancel(all[0].id)
            let ended = try await Self.wait(agent) { $0.step == .pairing(.cancelled) }
            #expect(ended.id == all[0].id)
            for _ in 0..<40 {
                let next = try Self.begin(agent, .pairing(.confirming(offer)))
                _ = agent.openPairings.cancel(next.id)
                _ = try await Self.wait(agent) { $0.id == next.id && $0.step.isFinal }
            }
            #expect(agent.openPairings.snapshot.pairings.count == OpenPairings.limit - 1 + OpenPairings.mostEnded)
        }
        let short = OpenPairings(lifetime: .milliseconds(1))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await short.run() }
            _ = short.begin(NewPairing(.row("x"))) { _, conversation in
                await conversation.enter(.pairing(.confirming(offer))) == nil ? .cancelled : .storing
            }
            var revision: UInt64 = 0
            while let now = await short.snapshot(after: revision), now.pairings.last?.step != .pairing(.cancelled) {
                revision = now.revision
            }
            group.cancelAll()
        }
    }

    /// The end of the agent is that of its pairings.
    @Test func theEndOfTheAgentGivesPairingsUp() async throws {
        let offer = try offer(isPlain: false)
        let agent = Agent(AgentConfiguration(version: "1", environment: [:]))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await agent.openPairings.run() }
            _ = try? Self.begin(agent, .pairing(.confirming(offer)))
            _ = try? await Self.wait(agent) { $0.question == 1 }
            group.cancelAll()
        }
        #expect(agent.openPairings.snapshot.pairings.map(\.step) == [.pairing(.cancelled)])
    }

    @Test(arguments: [
        ("", 400), ("[]", 400), ("{}", 400), (#"{"gateway":"a","address":"192.0.2.1:1"}"#, 400),
        (#"{"address":"192.0.2.1"}"#, 400), (#"{"address":"192.0.2.1:1","yes":true}"#, 400),
        (#"{"address":"192.0.2.1:1","leaf":"12"}"#, 400), (#"{"address":"192.0.2.1:1","name":""}"#, 400),
        (#"{"address":"192.0.2.1:1","bots":[]}"#, 400), (#"{"address":"192.0.2.1:1","bots":[1]}"#, 400),
        (#"{"address":"192.0.2.1:1","remote":"ws://a/"}"#, 400), (#"{"invitation":"nothing"}"#, 400),
        (#"{"invitation":"optaplus://pair?token=hush"}"#, 400),
    ])
    func whatIsNotUnderstoodBeginsNothing(body: String, status: Int) async throws {
        let agent = Agent(AgentConfiguration(version: "1", environment: [:]))
        let found = await Self.status {
            do {
                _ = try await agent.beginPairing(Array(body.utf8))
            } catch let problem as APIProblem {
                #expect(!problem.detail.contains("hush"))
                throw problem
            }
        }
        #expect(found == status)
        #expect(agent.openPairings.snapshot.pairings.isEmpty)
        // Without a store, what is understood is not begun either.
        let right = Array(#"{"address":"192.0.2.1:1","bots":["Jarvis"],"name":"Home","asAdmin":true}"#.utf8)
        #expect(await Self.status { _ = try await agent.beginPairing(right) } == 503)
        #expect(await Self.status { _ = try agent.openPairing("x") } == 404)
        #expect(await Self.status { _ = try agent.cancelPairing("x") } == 404)
        let none = OpenPairing(id: "x", start: .now, end: .now, bots: nil, name: nil)
        #expect(await Self.reply(agent, none, #"{"question":1,"confirm":true}"#) == 404)
    }
}
