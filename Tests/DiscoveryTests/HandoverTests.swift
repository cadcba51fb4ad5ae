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
        #expect(handover.settle(on: .preferred) == [vanished("one", .missingAfterRestart)])
        #expect(handover.settle(on: .preferred).isEmpty)
    }

    /// The daemon goes, and keeps its rows as it does; the other backend takes them over, and clears what is not there.
    @Test func theOtherTakesOver() {
        var handover = Handover()
        let (both, one) = (Samples.sighting("both"), Samples.sighting("one"))
        _ = handover.tell([running, .sighted(both), .sighted(one)], from: .preferred)
        _ = handover.tell([gone], from: .preferred)
        #expect(handover.tell([.sighted(both)], from: .other) == [.sighted(both)])
        #expect(handover.settle(on: .other) == [vanished("one", .missingAfterRestart)])
        #expect(handover.tell([vanished("both")], from: .other) == [vanished("both")])
    }
}
