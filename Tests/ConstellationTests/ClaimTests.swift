import DNSSD
import GatewayProtocol
import TestSupport
import Testing

@testable import Constellation

/// Several that claim one fingerprint, and who takes the place of whom.
@Suite struct ClaimTests {
    private var map = BotMap()
    private let home = GatewayID.fingerprint(Samples.fingerprint("home"))

    private func flags(_ name: String) -> Set<GatewayFlag>? {
        map[.candidate(.service(Samples.instance(name)))]?.flags
    }

    /// Two services that nobody answers behind say that they are one gateway, at two places.
    @Test mutating func ofTwoThatWereAskedInVainEachIsFlaggedWhileTheOtherIsThere() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .serviceFound(Samples.service("b", fp: "home", at: [2])), .probed(Samples.endpoint(1), .nothing(.refused)),
        ])
        #expect(flags("a") == [] && flags("b") == [.sameFingerprint], "b may be the very same")
        map.apply(.probed(Samples.endpoint(2), .nothing(.refused)))
        #expect(flags("a") == [.sameFingerprint] && flags("b") == [.sameFingerprint])
        map.apply(.serviceLost(Samples.instance("b")))
        #expect(flags("a") == [])
    }

    /// It says "home", and is another gateway: what it is has been answered.
    @Test mutating func whoHasAnsweredOtherwiseClaimsNothing() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])), .probed(Samples.endpoint(1), .nothing(.refused)),
            .serviceFound(Samples.service("b", fp: "home", at: [2])), .probed(Samples.endpoint(2), .nothing(.refused)),
        ])
        #expect(flags("a") == [.sameFingerprint])
        map.apply(.probed(Samples.endpoint(2), Samples.answer("other")))
        #expect(flags("a") == [])
    }

    /// One that has answered is disputed by who was asked, or waits to be; not by who may be the very same.
    @Test mutating func aGatewayIsDisputedByWhoWasAsked() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home")),
            .serviceFound(Samples.service("b", fp: "home", host: "b.local", at: [2])),
            .liveness(Samples.endpoint(1), .answering),
        ])
        #expect(map[home]?.flags == [])
        map.apply(all: [.waiting(Samples.endpoint(2), .addressBudget), .liveness(Samples.endpoint(1), .answering)])
        #expect(map[home]?.flags == [.sameFingerprint])
        map.apply(all: [.serviceLost(Samples.instance("b")), .liveness(Samples.endpoint(1), .answering)])
        #expect(map[home]?.flags == [])
    }

    /// A claimant waits for news of the first one: an answer to a whole probe is that too.
    @Test mutating func anAnswerToAProbeIsNewsAsWell() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home")),
            .serviceFound(Samples.service("copy", fp: "home", host: "copy.local", at: [2])),
            .probed(Samples.endpoint(2), Samples.answer("home")),
        ])
        #expect(map.gateways.map(\.id) == [home])
        map.apply(.probed(Samples.endpoint(1), Samples.answer("home")))
        #expect(map.gateways.count == 2)
        #expect(map[home]?.flags == [.sameFingerprint])
    }

    /// A flag comes with an answer, and goes with one: it outlives that the row is called otherwise.
    @Test mutating func aRowThatIsCalledOtherwiseKeepsItsFlags() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home")),
            .serviceFound(Samples.service("copy", fp: "home", host: "copy.local", at: [2])),
            .probed(Samples.endpoint(2), Samples.answer("home")),
            .liveness(Samples.endpoint(1), .answering), .liveness(Samples.endpoint(2), .answering),
        ])
        #expect(map.gateways.map(\.flags) == [[.sameFingerprint], [.sameFingerprint]])
        map.apply(.proved(Samples.endpoint(2), .token))
        #expect(map[home]?.paths.map(\.endpoint) == [Samples.endpoint(2)])
        #expect(map.gateways.map(\.flags) == [[.sameFingerprint], [.sameFingerprint]])
        #expect(map.inconsistencies() == [])
    }

    // MARK: Succession

    /// A gateway at two addresses comes back as another one: until both were asked, it is one row, not two.
    @Test mutating func whoTakesAPlaceIsShownWhenTheFormerOneHasEnded() {
        let addresses: [UInt8] = [1, 2]
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: addresses)))
        for last in addresses { map.apply(.probed(Samples.endpoint(last), Samples.answer("home"))) }
        let new = GatewayID.fingerprint(Samples.fingerprint("new"))
        map.apply(.probed(Samples.endpoint(1), Samples.answer("new")))
        #expect(map.gateways.map(\.id) == [home], "the other address may be the former one's still")
        map.apply(.probed(Samples.endpoint(2), Samples.answer("new")))
        #expect(map.gateways.map(\.id) == [new])
        #expect(map[new]?.paths.count == 2)
    }

    @Test mutating func whoTakesAPlaceIsShownWhenTheFormerOneAnswersElsewhere() {
        let addresses: [UInt8] = [1, 2]
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: addresses)))
        for last in addresses { map.apply(.probed(Samples.endpoint(last), Samples.answer("home"))) }
        map.apply(.probed(Samples.endpoint(1), Samples.answer("new")))
        #expect(map.gateways.map(\.id) == [home])
        map.apply(.liveness(Samples.endpoint(2), .answering))
        #expect(map.gateways.count == 2)
        #expect(map.inconsistencies() == [])
    }

    /// Who has just come back as another one answers a second before its records say so.
    @Test mutating func recordsOfTheFormerOneAreNoContradictionUntilTheSecondAnswer() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home")), .probed(Samples.endpoint(1), Samples.answer("new")),
        ])
        let new = GatewayID.fingerprint(Samples.fingerprint("new"))
        #expect(map[new]?.flags == [])
        map.apply(.probed(Samples.endpoint(1), Samples.answer("new")))
        #expect(map[new]?.flags == [.contradicts])
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "new", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("new")),
        ])
        #expect(map[new]?.flags == [])
    }
}
