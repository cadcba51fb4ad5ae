import DNSSD
import GatewayProtocol
import Testing

@testable import Scanning

/// The liveness that a session reports for its endpoint, and how it is combined with that of checks.
@Suite struct SessionLivenessTests {
    private var map = BotMap()
    private let home = GatewayID.fingerprint(Samples.fingerprint("home"))
    private let endpoint = Samples.endpoint(1)

    init() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])), .probed(endpoint, Samples.answer("home")),
        ])
    }

    /// An endpoint whose session answers is answering, whatever a check has found.
    @Test mutating func aSessionThatLivesIsProofOfLife() {
        map.apply(all: [.liveness(endpoint, .suspect), .sessionLiveness(endpoint, .answering)])
        #expect(map[home]?.liveness == .answering)
        map.apply(.liveness(endpoint, .gone))
        #expect(map[home]?.liveness == .answering, "a missed check does not end the session")
    }

    /// The liveness that a session reports ends with it, and that of the checks counts again.
    @Test mutating func livenessOfASessionEndsWithIt() {
        map.apply(all: [.liveness(endpoint, .suspect), .sessionLiveness(endpoint, .answering)])
        map.apply(.sessionLiveness(endpoint, nil))
        #expect(map[home]?.liveness == .suspect)
        #expect(map.apply(.sessionLiveness(endpoint, nil)).isEmpty)
    }

    /// An answer to a check outweighs an earlier loss that a session has reported: the session alone may have broken.
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

    /// A row stays while its session is alive, although its service is lost and the checks have been missed.
    @Test mutating func aRowStaysWhileItsSessionLives() {
        map.apply(all: [
            .sessionLiveness(endpoint, .answering), .serviceLost(Samples.instance("a")), .liveness(endpoint, .gone),
        ])
        #expect(map[home]?.paths.map(\.liveness) == [.answering])
        map.apply(.sessionLiveness(endpoint, nil))
        #expect(map[home] == nil)
    }

    /// A gateway that is known from a session alone leaves the map when that ends. It may be a paired one behind a
    /// switch without multicast.
    @Test(arguments: [Liveness.answering, .suspect]) mutating func whatASessionAloneKnewEndsWithIt(last: Liveness) {
        let (away, place) = (GatewayID.fingerprint(Samples.fingerprint("away")), Samples.endpoint(2))
        map.apply(all: [
            .probed(place, Samples.answer("away")), .sessionLiveness(place, .answering), .sessionLiveness(place, last),
        ])
        #expect(map[away]?.liveness == last)
        map.apply(.sessionLiveness(place, nil))
        #expect(map[away] == nil)
    }

    /// A gateway that checks have found to answer stays when its session ends.
    @Test mutating func whatIsCheckedOutlivesItsSession() {
        let (away, place) = (GatewayID.fingerprint(Samples.fingerprint("away")), Samples.endpoint(2))
        map.apply(all: [
            .probed(place, Samples.answer("away")), .liveness(place, .answering), .sessionLiveness(place, .answering),
            .sessionLiveness(place, nil),
        ])
        #expect(map[away]?.liveness == .answering)
    }

    /// An endpoint that was gone, and to which nothing leads, is not checked any more: a later session is the only
    /// source, and the row ends with it.
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

    /// The round-trip time of a session is that of its path.
    @Test mutating func itsTimeIsTheTimeOfThePath() {
        map.apply(.sessionLiveness(endpoint, .answering, roundTrip: .milliseconds(7)))
        #expect(map[home]?.roundTrip == .milliseconds(7))
    }

    /// A loss that a session has reported outlives the session, until a check is answered: it is newer than the last
    /// check.
    @Test(arguments: [Liveness.suspect, .gone])
    mutating func lossOutlivesItsSession(loss: Liveness) {
        map.apply(all: [
            .liveness(endpoint, .answering), .sessionLiveness(endpoint, .answering), .sessionLiveness(endpoint, loss),
            .sessionLiveness(endpoint, nil),
        ])
        #expect(map[home]?.liveness == loss)
        map.apply(.liveness(endpoint, .answering))
        #expect(map[home]?.liveness == .answering)
    }

    /// A loss that a check has refuted ends with the session: only the session was lost.
    @Test mutating func aDoubtThatACheckHasLiftedEndsWithTheSession() {
        map.apply(all: [
            .sessionLiveness(endpoint, .gone), .liveness(endpoint, .answering), .sessionLiveness(endpoint, nil),
        ])
        #expect(map[home]?.liveness == .answering)
    }

    /// The liveness that a session reports ends when something else answers at the endpoint, since the session was with
    /// the former gateway.
    @Test(arguments: [Samples.answer("other"), .somethingElse(ForeignAnswer(summary: "a web server", bytes: []))])
    mutating func sessionLivenessEndsWhenAnotherAnswers(other: ProbeOutcome) {
        map.apply(all: [.sessionLiveness(endpoint, .answering), .probed(endpoint, other)])
        map.apply(all: [.liveness(endpoint, .gone)])
        #expect(map.gateways.flatMap(\.paths).allSatisfy { $0.liveness == .gone })
    }

    /// The same, at an endpoint that was never asked before it had a session.
    @Test mutating func foreignAnswerEndsSessionLiveness() {
        let other = Samples.endpoint(2)
        map.apply(all: [
            .endpointAdded(other, .local), .sessionLiveness(other, .answering),
            .probed(other, .somethingElse(ForeignAnswer(summary: "a web server", bytes: []))),
        ])
        #expect(map.gateways.flatMap(\.paths).first { $0.endpoint == other }?.liveness == nil)
    }

    /// A report that repeats what is known changes nothing, since a session reports with every tick of its gateway;
    /// another round-trip time changes only that.
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
