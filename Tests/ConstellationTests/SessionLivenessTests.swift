import DNSSD
import GatewayProtocol
import Testing

@testable import Constellation

/// A session's word on its endpoint and that of checks are one verdict.
@Suite struct SessionLivenessTests {
    private var map = BotMap()
    private let home = GatewayID.fingerprint(Samples.fingerprint("home"))
    private let endpoint = Samples.endpoint(1)

    init() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])), .probed(endpoint, Samples.answer("home")),
        ])
    }

    @Test mutating func aSessionThatLivesIsProofOfLife() {
        map.apply(all: [.liveness(endpoint, .suspect), .sessionLiveness(endpoint, .answering)])
        #expect(map[home]?.liveness == .answering)
        map.apply(.liveness(endpoint, .gone))
        #expect(map[home]?.liveness == .answering, "what a check has missed is no end of a session")
    }

    @Test mutating func theWordOfASessionEndsWithIt() {
        map.apply(all: [.liveness(endpoint, .suspect), .sessionLiveness(endpoint, .answering)])
        map.apply(.sessionLiveness(endpoint, nil))
        #expect(map[home]?.liveness == .suspect)
        #expect(map.apply(.sessionLiveness(endpoint, nil)).isEmpty)
    }

    /// It may be the session alone that has broken.
    @Test mutating func anAnswerToACheckIsNewerThanASessionThatDoubts() {
        map.apply(.sessionLiveness(endpoint, .suspect))
        #expect(map[home]?.liveness == .suspect)
        map.apply(.liveness(endpoint, .answering))
        #expect(map[home]?.liveness == .answering)
        map.apply(.sessionLiveness(endpoint, .gone))
        #expect(map[home]?.liveness == .gone)
        map.apply(.probed(endpoint, Samples.answer("home")))
        #expect(map[home]?.liveness == .answering)
    }

    /// Its service is gone and the checks have missed: the session keeps the row.
    @Test mutating func aRowStaysWhileItsSessionLives() {
        map.apply(all: [
            .sessionLiveness(endpoint, .answering), .serviceLost(Samples.instance("a")), .liveness(endpoint, .gone),
        ])
        #expect(map[home]?.paths.map(\.liveness) == [.answering])
        map.apply(.sessionLiveness(endpoint, nil))
        #expect(map[home] == nil)
    }

    /// A paired gateway of which no service tells, such as one behind a switch without multicast.
    @Test(arguments: [Liveness.answering, .suspect]) mutating func whatASessionAloneKnewEndsWithIt(last: Liveness) {
        let (away, place) = (GatewayID.fingerprint(Samples.fingerprint("away")), Samples.endpoint(2))
        map.apply(all: [
            .probed(place, Samples.answer("away")), .sessionLiveness(place, .answering), .sessionLiveness(place, last),
        ])
        #expect(map[away]?.liveness == last)
        map.apply(.sessionLiveness(place, nil))
        #expect(map[away] == nil)
    }

    @Test mutating func whatIsCheckedOutlivesItsSession() {
        let (away, place) = (GatewayID.fingerprint(Samples.fingerprint("away")), Samples.endpoint(2))
        map.apply(all: [
            .probed(place, Samples.answer("away")), .liveness(place, .answering), .sessionLiveness(place, .answering),
            .sessionLiveness(place, nil),
        ])
        #expect(map[away]?.liveness == .answering)
    }

    /// The checks of it ended when it was gone: a session that comes there later is alone.
    @Test mutating func whatWasGoneIsCheckedNoMore() {
        let (away, place) = (GatewayID.fingerprint(Samples.fingerprint("away")), Samples.endpoint(2))
        map.apply(all: [
            .probed(place, Samples.answer("away")), .liveness(place, .answering), .liveness(place, .gone),
            .probed(place, Samples.answer("away")), .sessionLiveness(place, .answering),
        ])
        #expect(map[away]?.liveness == .answering)
        map.apply(.sessionLiveness(place, nil))
        #expect(map[away] == nil)
    }

    @Test mutating func itsTimeIsTheTimeOfThePath() {
        map.apply(.sessionLiveness(endpoint, .answering, roundTrip: .milliseconds(7)))
        #expect(map[home]?.roundTrip == .milliseconds(7))
    }

    /// The last sign of life of the session is newer than a check of long ago.
    @Test(arguments: [Liveness.suspect, .gone])
    mutating func aSessionThatEndsAfterALossLeavesItsWord(word: Liveness) {
        map.apply(all: [
            .liveness(endpoint, .answering), .sessionLiveness(endpoint, .answering), .sessionLiveness(endpoint, word),
            .sessionLiveness(endpoint, nil),
        ])
        #expect(map[home]?.liveness == word)
        map.apply(.liveness(endpoint, .answering))
        #expect(map[home]?.liveness == .answering)
    }

    /// A check has had an answer since: the loss was the session's alone.
    @Test mutating func aDoubtThatACheckHasLiftedEndsWithTheSession() {
        map.apply(all: [
            .sessionLiveness(endpoint, .gone), .liveness(endpoint, .answering), .sessionLiveness(endpoint, nil),
        ])
        #expect(map[home]?.liveness == .answering)
    }

    /// The session was with the former one.
    @Test(arguments: [Samples.answer("other"), .somethingElse(ForeignAnswer(summary: "a web server", bytes: []))])
    mutating func itsWordIsNotOfWhoeverAnswersThereNext(other: ProbeOutcome) {
        map.apply(all: [.sessionLiveness(endpoint, .answering), .probed(endpoint, other)])
        map.apply(all: [.liveness(endpoint, .gone)])
        #expect(map.gateways.flatMap(\.paths).allSatisfy { $0.liveness == .gone })
    }

    /// An endpoint that was never asked as a gateway had a session, and is something else.
    @Test mutating func aForeignAnswerEndsTheWordOfASessionBeforeAnyOther() {
        let other = Samples.endpoint(2)
        map.apply(all: [
            .endpointAdded(other, .local), .sessionLiveness(other, .answering),
            .probed(other, .somethingElse(ForeignAnswer(summary: "a web server", bytes: []))),
        ])
        #expect(map.gateways.flatMap(\.paths).first { $0.endpoint == other }?.liveness == nil)
    }

    /// A session speaks with every tick: only what is new is told, and nothing else of the row is looked at.
    @Test mutating func aTickThatSaysNothingNewChangesNothing() {
        map.apply(.sessionLiveness(endpoint, .answering, roundTrip: .milliseconds(7)))
        #expect(map.apply(.sessionLiveness(endpoint, .answering, roundTrip: .milliseconds(7))).isEmpty)
        let changes = map.apply(.sessionLiveness(endpoint, .answering, roundTrip: .milliseconds(8)))
        guard case .changed(_, [.latency]) = changes.first else {
            Issue.record("\(changes)")
            return
        }
        #expect(changes.count == 1)
    }
}
