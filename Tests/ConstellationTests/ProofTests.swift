import DNSSD
import GatewayProtocol
import TestSupport
import Testing

@testable import Constellation

/// A proof of an endpoint is a fact apart from what a probe says of it.
@Suite struct ProofTests {
    private var map = BotMap()
    private let home = GatewayID.fingerprint(Samples.fingerprint("home"))
    private let endpoint = Samples.endpoint(1)

    private func proof(at endpoint: Endpoint) -> GatewayProof? {
        map.gateways.flatMap(\.paths).first { $0.endpoint == endpoint }?.proof
    }

    @Test mutating func aRefreshKeepsIt() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(endpoint, Samples.answer("home", leaf: 1)),
            .proved(endpoint, .pinnedLeaf, leaf: Samples.leaf(1)),
            .probed(endpoint, Samples.answer("home", name: "Home", bots: ["1"], leaf: 1)),
            .probed(endpoint, .nothing(.refused)),
            .liveness(endpoint, .gone),
            .probed(endpoint, Samples.answer("home", leaf: 1)),
        ])
        #expect(map[home]?.proof == .pinnedLeaf)
    }

    /// The port is another process's now: what was proved of the former one says nothing of it, then or later.
    @Test(arguments: [
        Samples.answer("other"), Samples.answer("home", leaf: 2),
        .somethingElse(ForeignAnswer(summary: "a web server", bytes: [])),
    ])
    mutating func anotherIdentityEndsIt(other: ProbeOutcome) {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(endpoint, Samples.answer("home")), .proved(endpoint, .token), .probed(endpoint, other),
        ])
        #expect(proof(at: endpoint) == .unproved)
        map.apply(.probed(endpoint, Samples.answer("home")))
        #expect(proof(at: endpoint) == .unproved)
    }

    @Test mutating func itHoldsForItsLeafAlone() {
        map.apply(all: [
            .endpointAdded(endpoint, .local), .proved(endpoint, .pinnedLeaf, leaf: Samples.leaf(1)),
            .probed(endpoint, Samples.answer("home", leaf: 2)),
        ])
        #expect(map[home]?.proof == .unproved)
        map.apply(.probed(endpoint, Samples.answer("home", leaf: 1)))
        #expect(map[home]?.proof == .pinnedLeaf)
    }

    /// Something else may have the port for a while: the leaf is proof enough that the former one is back.
    @Test(arguments: [.somethingElse(ForeignAnswer(summary: "502", bytes: [])), Samples.answer("home", leaf: 2)])
    mutating func aProofOfALeafIsKept(between: ProbeOutcome) {
        let answer = BotMapEvent.probed(endpoint, Samples.answer("home", leaf: 1))
        let proof = BotMapEvent.proved(endpoint, .pinnedLeaf, leaf: Samples.leaf(1))
        for start in [[answer, proof], [proof]] {
            map = BotMap()
            map.apply(all: [.serviceFound(Samples.service("a", fp: "home", at: [1]))] + start)
            map.apply(.probed(endpoint, between))
            #expect(self.proof(at: endpoint) == .unproved)
            map.apply(answer)
            #expect(self.proof(at: endpoint) == .pinnedLeaf)
            #expect(map.inconsistencies() == [])
        }
    }

    /// Without the leaf that was shown, it would hold for any.
    @Test(arguments: [GatewayProof.certified, .pinnedLeaf])
    mutating func aProofOfALeafNamesIt(proof: GatewayProof) {
        map.apply(all: [
            .endpointAdded(endpoint, .local), .probed(endpoint, Samples.answer("home")), .proved(endpoint, proof),
        ])
        #expect(map[home]?.proof == .unproved)
    }

    /// Another machine has the address next, and says all that the former one said.
    @Test(arguments: [
        [BotMapEvent.liveness(Samples.endpoint(1), .gone)],
        [.sessionLiveness(Samples.endpoint(1), .answering), .sessionLiveness(Samples.endpoint(1), .gone)],
        [.sessionLiveness(Samples.endpoint(1), .answering), .sessionLiveness(Samples.endpoint(1), nil)],
    ])
    mutating func aTokenIsOfWhoeverIsThereNow(end: [BotMapEvent]) {
        map.apply(all: [
            .paired(PairedBot(id: Samples.key("home", "b"))), .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(endpoint, Samples.answer("home")), .proved(endpoint, .token),
        ])
        #expect(map[home]?.proof == .token)
        #expect(map[home]?.flags == [])
        map.apply(all: end + [.probed(endpoint, Samples.answer("home"))])
        #expect(map[home]?.proof == .unproved)
        #expect(map[home]?.flags == [.moved])
    }

    /// It is nobody's where nobody has answered: the first that does would have it.
    @Test mutating func aTokenOfNobodyIsIgnored() {
        map.apply(all: [
            .endpointAdded(endpoint, .local), .proved(endpoint, .token), .probed(endpoint, Samples.answer("home")),
        ])
        #expect(map[home]?.proof == .unproved)
        map.apply(all: [.liveness(endpoint, .gone), .proved(endpoint, .token), .liveness(endpoint, .answering)])
        #expect(map[home]?.proof == .unproved)
    }

    /// The bots of a row are paired by its identifier: a proof does not take it away.
    @Test mutating func aPairedRowKeepsItsIdentifier() {
        let id = GatewayID.candidate(.service(Samples.instance("a")))
        map.apply(all: [
            .serviceFound(Samples.service("a", at: [1])), .probed(endpoint, Samples.answer(nil, leaf: 1)),
            .paired(PairedBot(id: BotKey(gateway: id, bot: Samples.bot("b")))),
            .probed(Samples.endpoint(2), Samples.answer("home", leaf: 1)),
            .proved(Samples.endpoint(2), .pinnedLeaf, leaf: Samples.leaf(1)),
        ])
        #expect(map.gateways.map(\.id) == [id])
        #expect(map[id]?.paths.isEmpty == false)
        #expect(map.inconsistencies() == [])
    }

    /// Many others come and go where nothing leads: what is talked with, or is proved, stays.
    @Test mutating func whatIsProvedIsNotForgottenForStrangers() {
        map = BotMap(limits: BotMapLimits(remembered: 4))
        let other = Samples.endpoint(2)
        map.apply(all: [
            .probed(endpoint, Samples.answer("home", leaf: 1)),
            .proved(endpoint, .pinnedLeaf, leaf: Samples.leaf(1)),
            .probed(other, Samples.answer("other")), .sessionLiveness(other, .answering),
        ])
        for last in 10...60 as ClosedRange<UInt8> {
            map.apply(.probed(Samples.endpoint(last), Samples.answer("f\(last)")))
            #expect(map.inconsistencies() == [])
        }
        #expect(map[home]?.proof == .pinnedLeaf)
        #expect(map[.fingerprint(Samples.fingerprint("other"))]?.liveness == .answering)
        #expect(map.endpoints.count == 4)
    }

    @Test mutating func itIsWithdrawn() {
        map.apply(all: [
            .endpointAdded(endpoint, .local), .probed(endpoint, Samples.answer("home")), .proved(endpoint, .token),
        ])
        #expect(map[home]?.proof == .token)
        guard case .changed(_, [.paths]) = map.apply(.proved(endpoint, .unproved)).first else {
            Issue.record("nobody is told")
            return
        }
        #expect(map[home]?.proof == .unproved)
        #expect(map.apply(.proved(endpoint, .unproved)).isEmpty)
    }

    @Test mutating func whatIsProvedMoreComesFirst() {
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1, 2, 3, 4, 5])))
        for last in 1...5 as ClosedRange<UInt8> {
            map.apply(.probed(Samples.endpoint(last), Samples.answer("home", leaf: 1)))
        }
        for (index, proof) in GatewayProof.allCases.enumerated() {
            map.apply(.proved(Samples.endpoint(UInt8(index + 1)), proof, leaf: Samples.leaf(1)))
        }
        #expect(map[home]?.paths.map(\.proof) == GatewayProof.allCases.reversed())
    }

    /// An impostor that answered first goes by another identifier when the gateway has proved itself.
    @Test mutating func theProvedOneGoesByItsFingerprint() {
        map.apply(all: [
            .paired(PairedBot(id: Samples.key("home", "b"))),
            .serviceFound(Samples.service("evil", fp: "home", host: "evil.local", at: [66])),
            .probed(Samples.endpoint(66), Samples.answer("home")),
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(endpoint, Samples.answer("home")),
            .liveness(Samples.endpoint(66), .answering),
        ])
        #expect(map[home]?.paths.map(\.endpoint) == [Samples.endpoint(66)])
        #expect(map[home]?.flags.contains(.moved) == true)
        map.apply(.proved(endpoint, .token))
        #expect(map[home]?.paths.map(\.endpoint) == [endpoint])
        #expect(map[home]?.flags.contains(.moved) == false)
        #expect(map.gateways.count == 2)
        #expect(map.inconsistencies() == [])
    }

    @Test mutating func twoPathsThatAreProvedAreOneGateway() {
        map.apply(all: [
            .endpointAdded(Samples.endpoint(1), .local), .endpointAdded(Samples.endpoint(2), .local),
            .probed(Samples.endpoint(1), Samples.answer("home")), .probed(Samples.endpoint(2), Samples.answer("home")),
            .liveness(Samples.endpoint(1), .answering),
        ])
        #expect(map.gateways.count == 2)
        map.apply(all: [.proved(Samples.endpoint(1), .token), .proved(Samples.endpoint(2), .token)])
        #expect(map.gateways.map(\.id) == [home])
        #expect(map[home]?.paths.count == 2)
        #expect(map.inconsistencies() == [])
    }

    /// It does not matter whether the proof or the answer is heard of first.
    @Test func anyOrderOfProofsGivesTheSameRows() {
        var random = SeededGenerator.forFuzzing("orders of proofs")
        let events: [BotMapEvent] = [
            .serviceFound(Samples.service("a", fp: "home", at: [1, 2])),
            .serviceFound(Samples.service("evil", fp: "home", host: "evil.local", at: [66])),
            .probed(Samples.endpoint(66), Samples.answer("home")),
            .probed(Samples.endpoint(1), Samples.answer("home", leaf: 1)),
            .probed(Samples.endpoint(2), Samples.answer("home", leaf: 1)),
            .liveness(Samples.endpoint(66), .answering), .liveness(Samples.endpoint(1), .answering),
        ]
        var first: BotMap?
        for _ in 0..<TestCases.count(100) {
            var order = events
            for proof in [
                BotMapEvent.proved(Samples.endpoint(1), .pinnedLeaf, leaf: Samples.leaf(1)),
                .proved(Samples.endpoint(2), .sameAddress),
            ] {
                order.insert(proof, at: Int(random.next() % UInt64(order.count - 1)))
            }
            var map = BotMap()
            map.apply(all: order)
            #expect(map.inconsistencies() == [])
            let known = first ?? map
            first = known
            #expect(map.gateways.map(\.id) == known.gateways.map(\.id))
            #expect(map.gateways.map(\.paths) == known.gateways.map(\.paths))
        }
    }
}
