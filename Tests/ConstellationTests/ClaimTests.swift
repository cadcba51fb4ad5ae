import DNSSD
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// Several rows and services that claim one fingerprint, and the succession of one gateway by another one.
@Suite struct ClaimTests {
    private var map = BotMap()
    private let home = GatewayID.fingerprint(Samples.fingerprint("home"))

    private func flags(_ name: String) -> Set<GatewayFlag>? {
        map[.candidate(.service(Samples.instance(name)))]?.flags
    }

    /// Of two services that claim one fingerprint and at which nothing answers, each is flagged while the other one is
    /// present and was asked.
    @Test mutating func ofTwoThatWereAskedInVainEachIsFlaggedWhileTheOtherIsThere() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .serviceFound(Samples.service("b", fp: "home", at: [2])), .probed(Samples.endpoint(1), .nothing(.refused)),
        ])
        #expect(
            flags("a") == [] && flags("b") == [.sameFingerprint],
            "b was not asked yet, and may be the same gateway"
        )
        map.apply(.probed(Samples.endpoint(2), .nothing(.refused)))
        #expect(flags("a") == [.sameFingerprint] && flags("b") == [.sameFingerprint])
        map.apply(.serviceLost(Samples.instance("b")))
        #expect(flags("a") == [])
    }

    /// A service that claims a fingerprint, but leads to a gateway that has answered with another one, does not dispute
    /// the fingerprint any more.
    @Test mutating func answerWithAnotherFingerprintEndsAClaim() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])), .probed(Samples.endpoint(1), .nothing(.refused)),
            .serviceFound(Samples.service("b", fp: "home", at: [2])), .probed(Samples.endpoint(2), .nothing(.refused)),
        ])
        #expect(flags("a") == [.sameFingerprint])
        map.apply(.probed(Samples.endpoint(2), Samples.answer("other")))
        #expect(flags("a") == [])
    }

    /// The fingerprint of a gateway that has answered is disputed by a service that was asked without an answer, or
    /// that waits to be asked; not by one that may lead to the same gateway.
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

    /// In a single scan, in which nothing answers twice, a gateway with the fingerprint of another one is shown at once,
    /// and both are flagged: the one that answers faster may be the copy.
    @Test(arguments: ["home", nil]) func inASingleScanBothAreShownAndFlagged(advertised: String?) {
        var map = BotMap(asksRepeatedly: false)
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: advertised, at: [1])),
            .serviceFound(Samples.service("copy", fp: advertised, host: "copy.local", at: [2])),
            .probed(Samples.endpoint(2), Samples.answer("home")), .probed(Samples.endpoint(1), Samples.answer("home")),
        ])
        #expect(map.gateways.map(\.flags) == [[.sameFingerprint], [.sameFingerprint]])
        #expect(map.gateways.allSatisfy { $0.classification == .gateway })
    }

    /// A claimant is shown when the first gateway with the fingerprint answers again; an answer to a whole probe counts
    /// as well as one to a check.
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

    /// A row keeps its flags when it gets another identifier: flags change only with an answer.
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

    /// A gateway with two addresses comes back as another one: until both addresses were asked, the old row is shown
    /// and the new one is not.
    @Test mutating func successorIsShownWhenThePredecessorHasEnded() {
        let addresses: [UInt8] = [1, 2]
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: addresses)))
        for last in addresses { map.apply(.probed(Samples.endpoint(last), Samples.answer("home"))) }
        let new = GatewayID.fingerprint(Samples.fingerprint("new"))
        map.apply(.probed(Samples.endpoint(1), Samples.answer("new")))
        #expect(map.gateways.map(\.id) == [home], "the old gateway may still be at the other address")
        map.apply(.probed(Samples.endpoint(2), Samples.answer("new")))
        #expect(map.gateways.map(\.id) == [new])
        #expect(map[new]?.paths.count == 2)
    }

    /// The new gateway is shown as soon as the old one answers at its other address, which shows that both exist.
    @Test mutating func successorIsShownWhenThePredecessorAnswersElsewhere() {
        let addresses: [UInt8] = [1, 2]
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: addresses)))
        for last in addresses { map.apply(.probed(Samples.endpoint(last), Samples.answer("home"))) }
        map.apply(.probed(Samples.endpoint(1), Samples.answer("new")))
        #expect(map.gateways.map(\.id) == [home])
        map.apply(.liveness(Samples.endpoint(2), .answering))
        #expect(map.gateways.count == 2)
        #expect(map.inconsistencies() == [])
    }

    /// A gateway that has replaced another one is not flagged because of the old records before its second answer,
    /// since its records follow a moment later.
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
