import BotMap
import DNSSD
import GatewayProtocol
import TestSupport
import Testing

/// Which leads are one gateway, and what is flagged.
@Suite struct MergingTests {
    private var map = BotMap()
    private let home = GatewayID.fingerprint(Samples.fingerprint("home"))

    private func ids() -> [GatewayID] { map.gateways.map(\.id) }

    @Test mutating func oneGatewayUnderTwoTypesOnTwoInterfaces() {
        map.apply(all: [
            .serviceFound(
                Samples.service("a", fp: "home", host: "Box.local", at: [1, 2], on: [Samples.eth0, Samples.eth1])
            ),
            .serviceFound(
                Samples.service("a", type: "openclaw-gw", fp: "home", host: "box.local", at: [1], port: 18_789)
            ),
        ])
        #expect(ids() == [home])
        #expect(map[home]?.paths.count == 3)
        #expect(map[home]?.services.count == 2)
        #expect(map[home]?.flags == [])
    }

    @Test mutating func losingOnePathChangesAndLosingTheLastKeepsWhatAnswers() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1, 2])),
            .probed(Samples.endpoint(1), Samples.answer("home", bots: ["b"])),
        ])
        let fewer = map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1])))
        #expect(fewer.map(aspects) == [[.paths]])
        let lost = map.apply(.serviceLost(Samples.instance("a")))
        #expect(lost.map(aspects) == [[.services]])
        #expect(map[home]?.liveness == .answering)
        #expect(map[home]?.bots.count == 1)
        #expect(map.apply(.liveness(Samples.endpoint(1), .suspect)).map(aspects) == [[.liveness]])
        #expect(map.apply(.liveness(Samples.endpoint(1), .gone)).map(kind) == ["lost"])
        #expect(map.gateways.isEmpty)
        // What was forgotten too early comes back as it was.
        #expect(map.apply(.liveness(Samples.endpoint(1), .answering)).map(kind) == ["found"])
    }

    @Test mutating func aServiceThatNeverAnsweredGoesWhenItIsLost() {
        map.apply(all: [.serviceFound(Samples.service("a", at: [1])), .serviceLost(Samples.instance("a"))])
        #expect(map.gateways.isEmpty)
    }

    @Test mutating func aGatewayThatIsRenamedIsNotTwo() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home")),
            .serviceLost(Samples.instance("a")),
            .serviceFound(Samples.service("b", fp: "home", at: [1])),
        ])
        #expect(ids() == [home])
        #expect(map[home]?.services == [Samples.instance("b")])
        #expect(map[home]?.flags == [])
    }

    /// Another host, with copied TXT and a copied answer, which is faster too.
    private func impostor() -> [BotMapEvent] {
        [
            .serviceFound(Samples.service("a", fp: "home", host: "box.local", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home", name: "Home", bots: ["b"])),
            .liveness(Samples.endpoint(1), .answering, roundTrip: .milliseconds(9)),
            .serviceFound(Samples.service("0 evil", fp: "home", host: "evil.local", at: [66])),
            .probed(Samples.endpoint(66), Samples.answer("home", name: "Home", bots: ["b"])),
            .liveness(Samples.endpoint(66), .answering, roundTrip: .milliseconds(1)),
        ]
    }

    @Test mutating func anImpostorIsASecondRowAndBothAreFlagged() {
        map.apply(all: impostor())
        let claimants = ["0 evil", "a"].map {
            GatewayID.claimant(Samples.fingerprint("home"), .service(Samples.instance($0)))
        }
        #expect(ids() == claimants)
        #expect(map.gateways.map(\.flags) == [[.sameFingerprint], [.sameFingerprint]])
        #expect(map.gateways.map(\.paths.count) == [1, 1])
    }

    @Test mutating func proofTellsWhichIsTheRealOne() {
        map.apply(all: impostor())
        map.apply(all: [.probed(Samples.endpoint(1), Samples.answer("home", leaf: 1, proof: .pinnedLeaf))])
        #expect(map[home]?.paths.map(\.endpoint) == [Samples.endpoint(1)])
        #expect(map[home]?.flags == [.sameFingerprint])
        #expect(map.gateways.count == 2)
    }

    @Test mutating func theImpostorGetsNothingOfThePairing() {
        map.apply(all: impostor() + [.paired(PairedBot(id: Samples.key("home", "b")))])
        #expect(map[home]?.paths == [])
        #expect(map.gateways.filter { $0.isPaired }.map(\.id) == [home])
        #expect(map.gateways.filter { !$0.isPaired }.flatMap(\.bots).allSatisfy { $0.state == .discovered })
    }

    @Test mutating func aPairedGatewayAtAnUnprovedPlaceHasMoved() {
        map.apply(all: [
            .paired(PairedBot(id: Samples.key("home", "b"))),
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
        ])
        #expect(map[home]?.flags == [.moved])
        map.apply(all: [.probed(Samples.endpoint(1), Samples.answer("home", proof: .token))])
        #expect(map[home]?.flags == [])
    }

    @Test mutating func addressesAddedToARealServiceNeverComeFirst() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1, 2])),
            .probed(Samples.endpoint(1), Samples.answer("home", leaf: 9)),
            .probed(Samples.endpoint(2), Samples.answer("home", leaf: 1, proof: .pinnedLeaf)),
            .liveness(Samples.endpoint(1), .answering, roundTrip: .microseconds(1)),
            .liveness(Samples.endpoint(2), .gone),
        ])
        #expect(map[home]?.paths.map(\.endpoint) == [2, 1].map { Samples.endpoint($0) })
        #expect(map[home]?.paths.map(\.contradicts) == [false, true])
        #expect(map[home]?.liveness == .gone)
        #expect(map[home]?.flags == [.contradicts])
    }

    @Test mutating func theSameLeafIsOneGateway() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .serviceFound(Samples.service("b", fp: "home", at: [2])),
            .probed(Samples.endpoint(1), Samples.answer("home", leaf: 1)),
        ])
        #expect(map.gateways.count == 2)
        map.apply(all: [.probed(Samples.endpoint(2), Samples.answer("home", leaf: 1))])
        #expect(ids() == [home])
        map.apply(all: [.probed(Samples.endpoint(2), Samples.answer("home", leaf: 2))])
        #expect(map.gateways.count == 2)
    }

    @Test mutating func theSameHostOnAnotherLinkIsNot() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", host: "box.local", at: [1], port: 1, on: [Samples.eth0])),
            .serviceFound(Samples.service("b", fp: "home", host: "box.local", at: [1], port: 2, on: [Samples.eth1])),
        ])
        #expect(map.gateways.map(\.flags) == [[.sameFingerprint], [.sameFingerprint]])
    }

    @Test mutating func whatContradictsItselfMergesWithNothing() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .serviceFound(Samples.service("liar", fp: "home", host: "a.local", at: [1], port: 6_666)),
        ])
        #expect(ids() == [home])
        map.apply(all: [.probed(Samples.endpoint(1, port: 6_666), Samples.answer("other"))])
        let liar = GatewayID.lead(.service(Samples.instance("liar")))
        #expect(ids() == [home, liar])
        #expect(map[liar]?.flags == [.contradicts])
        #expect(map[home]?.flags == [])
        // And does not dispute the fingerprint that it answers with.
        map.apply(all: [.serviceFound(Samples.service("c", fp: "other", at: [3]))])
        #expect(map[.fingerprint(Samples.fingerprint("other"))]?.flags == [])
    }

    @Test mutating func aServiceThatPointsAtAnotherGatewayDoesNotHarmIt() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home")),
            .serviceFound(Samples.service("evil", fp: "evil", host: "evil.local", at: [1])),
        ])
        #expect(map[home]?.flags == [])
        #expect(map[home]?.paths.count == 1)
    }

    @Test mutating func aTypedInEndpointJoinsTheGatewayThatIsThere() {
        map.apply(all: [
            .endpointAdded(Samples.endpoint(1), .local),
            .probed(Samples.endpoint(1), Samples.answer("home", name: "Home")),
        ])
        #expect(map[home]?.paths.map(\.isTypedIn) == [true])
        map.apply(all: [.serviceFound(Samples.service("a", fp: "home", at: [1, 2]))])
        #expect(ids() == [home])
        #expect(map[home]?.paths.map(\.isTypedIn) == [true, false])
        map.apply(all: [.endpointRemoved(Samples.endpoint(1))])
        #expect(map[home]?.paths.map(\.isTypedIn) == [false, false])
    }

    private func kind(_ change: BotMapChange) -> String {
        switch change {
        case .found: "found"
        case .changed: "changed"
        case .lost: "lost"
        case .problem: "problem"
        }
    }

    private func aspects(_ change: BotMapChange) -> Set<GatewayAspect> {
        if case .changed(_, let aspects) = change { aspects } else { [] }
    }
}
