import DNSSD
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// Proofs that an endpoint is the gateway that it claims to be. They are independent of the outcomes of probes.
@Suite struct ProofTests {
    private var map = BotMap()
    private let home = GatewayID.fingerprint(Samples.fingerprint("home"))
    private let endpoint = Samples.endpoint(1)

    private func proof(at endpoint: Endpoint) -> GatewayProof? {
        map.gateways.flatMap(\.paths).first { $0.endpoint == endpoint }?.proof
    }

    /// The proof of a leaf outlives later probes, silence and the end of liveness, as long as the endpoint answers as
    /// the same gateway.
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

    /// A token's proof ends when another gateway or something else answers at the endpoint, and does not come back with
    /// the former gateway's answers: another process has had the port.
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

    /// The proof of a leaf holds only while the endpoint shows that leaf.
    @Test mutating func itHoldsForItsLeafAlone() {
        map.apply(all: [
            .endpointAdded(endpoint, .local), .proved(endpoint, .pinnedLeaf, leaf: Samples.leaf(1)),
            .probed(endpoint, Samples.answer("home", leaf: 2)),
        ])
        #expect(map[home]?.proof == .unproved)
        map.apply(.probed(endpoint, Samples.answer("home", leaf: 1)))
        #expect(map[home]?.proof == .pinnedLeaf)
    }

    /// The proof of a leaf counts again when the leaf is shown again, whatever has answered at the endpoint in the
    /// meantime: the leaf itself shows that the gateway is back.
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

    /// A proof of a leaf that does not name the leaf is ignored, since it would hold for any.
    @Test(arguments: [GatewayProof.certified, .pinnedLeaf])
    mutating func aProofOfALeafNamesIt(proof: GatewayProof) {
        map.apply(all: [
            .endpointAdded(endpoint, .local), .probed(endpoint, Samples.answer("home")), .proved(endpoint, proof),
        ])
        #expect(map[home]?.proof == .unproved)
    }

    /// Of a gateway without TLS that is trusted anywhere in its network, the place of the pairing leads the row, even if
    /// somebody else has answered under its fingerprint before; that other place is marked, and the row flagged while
    /// it answers.
    @Test mutating func thePlaceOfThePairingLeadsItsRow() throws {
        let (place, other) = (Samples.endpoint(1), Samples.endpoint(2))
        map.apply(all: [
            .paired(PairedBot(id: Samples.key("home", "b"), place: place)),
            .serviceFound(Samples.service("a", fp: "home", at: [1, 2])),
            .probed(other, Samples.answer("home", name: "Mallory")), .liveness(other, .answering),
        ])
        #expect(map[home]?.paths.filter(\.isElsewhere).map(\.endpoint) == [other])
        // The place of the pairing is about to be asked.
        #expect(map[home]?.flags.contains(.elsewhere) == false)
        map.apply(all: [.probed(place, Samples.answer("home", name: "Home")), .liveness(place, .answering)])
        #expect(map[home]?.flags.contains(.elsewhere) == true)
        #expect(map[home]?.paths.map(\.endpoint) == [place, other])
        #expect(map[home]?.name == "Home")
        map.apply(all: [.liveness(other, .gone)])
        #expect(map[home]?.flags.contains(.elsewhere) == false)
        // Every other pairing has no place, and no path elsewhere.
        map.apply(all: [.paired(PairedBot(id: Samples.key("home", "b"))), .liveness(other, .answering)])
        #expect(map[home]?.paths.contains(where: \.isElsewhere) == false)
    }

    /// Another address of the machine of the pairing is no other place; another port there is one, which another user of the
    /// machine may have.
    @Test(arguments: [(Samples.endpoint(2), false), (Samples.endpoint(1, port: 4_000), true)])
    mutating func anotherPortOfOneMachineIsAnotherPlace(other: Endpoint, isElsewhere: Bool) throws {
        let place = Samples.endpoint(1)
        let machine = Machine.neighbour(hardwareAddress: [2, 0, 0, 0, 0, 9])
        let host = try DomainName(labels: [Array("h".utf8), Array("local".utf8)])
        let last: UInt8 = other.address == place.address ? 1 : 2
        map.apply(all: [
            .paired(PairedBot(id: Samples.key("home", "b"), place: place)),
            .serviceFound(Samples.service("a", fp: "home", host: host, at: [1])),
            .serviceFound(Samples.service("b", fp: "home", host: host, at: [last], port: other.port)),
            .located(place, machine), .located(other, machine),
            .probed(place, Samples.answer("home")), .probed(other, Samples.answer("home")),
            .liveness(other, .answering),
        ])
        #expect(map[home]?.paths.filter(\.isElsewhere).map(\.endpoint) == [other])
        #expect(map[home]?.flags.contains(.elsewhere) == isElsewhere)
    }

    /// A gateway that was paired by a host name is at its place, too, where it is advertised without.
    @Test mutating func itsPlaceHasItsNameOrNone() {
        let place = Samples.endpoint(1, named: "kitchen.example")
        map.apply(all: [
            .paired(PairedBot(id: Samples.key("home", "b"), place: place)),
            .endpointAdded(place, .local), .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(place, Samples.answer("home")), .probed(place.unnamed, Samples.answer("home")),
        ])
        #expect(map[home]?.paths.count == 2)
        #expect(map[home]?.paths.contains(where: \.isElsewhere) == false)
        #expect(map[home]?.flags.contains(.elsewhere) == false)
    }

    /// A token's proof ends with the liveness of the endpoint or with the session: another machine may have the address
    /// next and repeat every answer of the former one. The paired gateway is flagged as moved then.
    @Test(arguments: [
        [BotMapEvent.liveness(Samples.endpoint(1), .gone)],
        [.sessionLiveness(Samples.endpoint(1), .answering), .sessionLiveness(Samples.endpoint(1), .gone)],
        [.sessionLiveness(Samples.endpoint(1), .answering), .sessionLiveness(Samples.endpoint(1), nil)],
    ])
    mutating func tokenProofEndsWithLivenessOrSession(end: [BotMapEvent]) {
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

    /// A token's proof is ignored for an endpoint that has not answered or is gone; otherwise the next gateway to
    /// answer there would have it.
    @Test mutating func aTokenOfNobodyIsIgnored() {
        map.apply(all: [
            .endpointAdded(endpoint, .local), .proved(endpoint, .token), .probed(endpoint, Samples.answer("home")),
        ])
        #expect(map[home]?.proof == .unproved)
        map.apply(all: [.liveness(endpoint, .gone), .proved(endpoint, .token), .liveness(endpoint, .answering)])
        #expect(map[home]?.proof == .unproved)
    }

    /// A proof does not change the identifier of a row under which bots are paired.
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

    /// Endpoints with a proof or a live session are remembered although nothing leads to them, however many other such
    /// endpoints come and go.
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

    /// The withdrawal of a proof is reported once.
    @Test mutating func itIsWithdrawn() {
        map.apply(all: [
            .endpointAdded(endpoint, .local), .probed(endpoint, Samples.answer("home")), .proved(endpoint, .token),
        ])
        #expect(map[home]?.proof == .token)
        guard case .changed(_, [.paths]) = map.apply(.proved(endpoint, .unproved)).first else {
            Issue.record("no change is reported")
            return
        }
        #expect(map[home]?.proof == .unproved)
        #expect(map.apply(.proved(endpoint, .unproved)).isEmpty)
    }

    /// The paths of a row are in the order of their proofs, the strongest first.
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

    /// The gateway that proves itself gets the row of its fingerprint, and an impostor that answered first gets another
    /// identifier.
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

    /// Two rows of one fingerprint merge when both have proved to be that gateway.
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

    /// A proof and the answer that it concerns may be reported in any order.
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
