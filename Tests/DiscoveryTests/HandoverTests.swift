import DNSSD
import Testing

@testable import Discovery

/// Two backends, of which one works at a time, and one picture.
@Suite struct HandoverTests {
    private let running = BrowseEvent.status(.running)
    private let gone = BrowseEvent.status(.unavailable(Samples.noDaemon))

    private func vanished(_ name: String, _ reason: LossReason = .withdrawn) -> BrowseEvent {
        .vanished(Samples.instance(name), Samples.eth0, reason)
    }

    /// Without the daemon the other backend works, and what the browser is told is how that one is.
    @Test func theStatusIsThatOfWhoWorks() {
        var handover = Handover()
        #expect(handover.tell([gone], from: .preferred) == [.status(.starting)])
        #expect(handover.isOtherNeeded)
        #expect(handover.tell([running], from: .other) == [running])
        #expect(handover.tell([running], from: .preferred).isEmpty)
        #expect(!handover.isOtherNeeded)
        #expect(handover.otherIs(nil).isEmpty)
    }

    /// Losses are passed on, whichever backend is at work.
    @Test(arguments: [Handover.Side.preferred, .other]) func lossesPass(side: Handover.Side) {
        var handover = Handover()
        let losses = BrowseEvent.losses(BackendLosses(packets: 1))
        #expect(handover.tell([losses], from: side) == [losses])
    }

    /// A daemon that hangs still speaks for this host: nobody else begins to.
    @Test func aHangingDaemonIsNotReplaced() {
        var handover = Handover()
        let hanging = BrowseEvent.status(.unavailable(BackendError(.daemonNotAnswering, "hangs")))
        #expect(handover.tell([hanging], from: .preferred) == [hanging])
        #expect(!handover.isOtherNeeded)
    }

    /// The daemon comes: nothing is lost that it sees as well, and what it does not see is, when it has had its time.
    @Test func theDaemonTakesOver() {
        var handover = Handover()
        _ = handover.tell([gone], from: .preferred)
        let (both, one) = (Samples.sighting("both"), Samples.sighting("one"))
        #expect(handover.tell([.sighted(both), .sighted(one)], from: .other) == [.sighted(both), .sighted(one)])
        _ = handover.tell([running], from: .preferred)
        // It has seen it, and not yet resolved it: what is known stands.
        let unresolved = Samples.sighting("both", .resolving)
        #expect(handover.tell([.sighted(unresolved)], from: .preferred).isEmpty)
        #expect(handover.tell([.sighted(both)], from: .preferred) == [.sighted(both)])
        // What the other one tells of it does not count any more, whatever it is.
        #expect(handover.tell([.sighted(both), vanished("both")], from: .other).isEmpty)
        #expect(handover.settleOnPreferred() == [vanished("one", .missingAfterRestart)])
        #expect(handover.settleOnPreferred().isEmpty)
    }

    /// A daemon that is restarted: its backend keeps its rows and tells none of them again.
    @Test func aRestartOfTheDaemonLosesNothing() {
        var handover = Handover()
        let (both, one) = (Samples.sighting("both"), Samples.sighting("one"))
        _ = handover.tell([running, .sighted(both), .sighted(one)], from: .preferred)
        _ = handover.tell([gone], from: .preferred)
        _ = handover.tell([running, .sighted(both)], from: .other)
        _ = handover.tell([running], from: .preferred)
        // The time of the other one is over when it is not needed any more.
        #expect(handover.settleOnOther().isEmpty)
        #expect(handover.settleOnPreferred() == [.sighted(both)])
        #expect(handover.tell([vanished("one")], from: .preferred) == [vanished("one")])
    }

    /// The daemon is away again before the other one has been let go: nothing is lost.
    @Test func aDaemonThatGoesAgainAtOnceLosesNothing() {
        var handover = Handover()
        _ = handover.tell([gone], from: .preferred)
        _ = handover.tell([running, .sighted(Samples.sighting("one"))], from: .other)
        _ = handover.tell([running], from: .preferred)
        _ = handover.tell([gone], from: .preferred)
        #expect(handover.settleOnPreferred().isEmpty)
        // The other one begins anew: what it does not see again is lost.
        #expect(handover.settleOnOther() == [vanished("one", .missingAfterRestart)])
    }

    /// A service that the other backend did not see in its time is back when the daemon has kept it.
    @Test func whatTheDaemonKeptIsToldAgain() {
        var handover = Handover()
        let one = Samples.sighting("one")
        _ = handover.tell([running, .sighted(one)], from: .preferred)
        _ = handover.tell([gone], from: .preferred)
        #expect(handover.settleOnOther() == [vanished("one", .missingAfterRestart)])
        _ = handover.tell([running], from: .preferred)
        #expect(handover.settleOnPreferred() == [.sighted(one)])
    }

    /// The daemon goes, and keeps its rows as it does; the other backend takes them over, and clears what is not there.
    @Test func theOtherTakesOver() {
        var handover = Handover()
        let (both, one) = (Samples.sighting("both"), Samples.sighting("one"))
        _ = handover.tell([running, .sighted(both), .sighted(one)], from: .preferred)
        _ = handover.tell([gone], from: .preferred)
        #expect(handover.tell([.sighted(both)], from: .other) == [.sighted(both)])
        #expect(handover.settleOnOther() == [vanished("one", .missingAfterRestart)])
        #expect(handover.tell([vanished("both")], from: .other) == [vanished("both")])
    }
}
