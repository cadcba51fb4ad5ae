import DNSSD
import Testing

@testable import Avahi

@Suite struct AvahiPublishStateMachineTests {
    private var machine: AvahiPublishStateMachine
    private let start = ContinuousClock.now
    private let txt = TXTRecord(strings: [Array("v=1".utf8)])
    private let other = TXTRecord(strings: [Array("v=2".utf8)])

    init() {
        let type = ServiceType(checkedName: "openclaw", transport: .tcp)
        let advertisement = Advertisement(name: "Home", types: [type], port: 3_000, txt: txt)
        machine = AvahiPublishStateMachine(advertisement)
    }

    private mutating func establish() {
        _ = machine.daemonChanged(to: .up(isSettled: true))
        _ = machine.receive(.groupRegistering, now: start)
        _ = machine.receive(.groupEstablished, now: start)
    }

    @Test mutating func isPublishedWhenTheDaemonHasSettled() {
        #expect(machine.daemonChanged(to: .up(isSettled: false)) == [])
        #expect(
            machine.daemonChanged(to: .up(isSettled: true))
                == [.report(.publishing(waitingFor: nil)), .publish(name: "Home", txt: txt)]
        )
        #expect(machine.added(nil, now: start) == [])
        #expect(machine.receive(.groupRegistering, now: start) == [])
        #expect(machine.receive(.groupEstablished, now: start) == [.report(.published(name: "Home"))])
        #expect(machine.receive(.groupEstablished, now: start) == [])
    }

    @Test mutating func aTakenNameGivesWayToTheNext() {
        _ = machine.daemonChanged(to: .up(isSettled: true))
        for (from, to) in [("Home", "Home #2"), ("Home #2", "Home #3"), ("Home #3", "Home #4")] {
            let actions =
                to == "Home #3" ? machine.added(.collision, now: start) : machine.receive(.groupCollision, now: start)
            #expect(
                actions == [
                    .report(.renamed(from: from, to: to)), .report(.publishing(waitingFor: nil)),
                    .publish(name: to, txt: txt),
                ]
            )
        }
    }

    /// A host that claims every name slows the publication down, but does not end it, and the delay is reported once
    /// (RFC 6762 §8.1).
    @Test mutating func whoClaimsEveryNameSlowsItAndDoesNotEndIt() {
        _ = machine.daemonChanged(to: .up(isSettled: true))
        for _ in 0..<14 { _ = machine.receive(.groupCollision, now: start) }
        let reported = machine.receive(.groupCollision, now: start)
        #expect(reported == [.reset, .report(.publishing(waitingFor: .namesTaken("Home")))])
        var now = start
        for _ in 0..<100 {
            #expect(machine.deadline == now + .seconds(5))
            #expect(machine.tick(now: now) == [])
            now += .seconds(5)
            #expect(machine.tick(now: now).count == 1, "one attempt without a report")
            // The delay has been reported already. There are fewer than fifteen conflicts in ten seconds by now.
            for action in machine.receive(.groupCollision, now: now) {
                if case .report = action { Issue.record("reported again: \(action)") }
            }
            if machine.deadline == nil { break }
        }
        _ = machine.tick(now: now + .seconds(5))
        #expect(machine.receive(.groupEstablished, now: now).first == .report(.published(name: machine.name)))
        #expect(!machine.isFinished)
    }

    /// The requested name is taken back when nobody has used it for a minute, and the present name stays until then.
    @Test mutating func theWantedNameIsTakenBack() {
        _ = machine.daemonChanged(to: .up(isSettled: true))
        _ = machine.receive(.groupCollision, now: start)
        #expect(
            machine.receive(.groupEstablished, now: start)
                == [.report(.published(name: "Home #2")), .lookFor(name: "Home")]
        )
        #expect(machine.deadline == nil)
        machine.sawOwner(.new, now: start)
        machine.lookedUp(now: start)
        #expect(machine.deadline == nil, "another host uses the name")
        machine.sawOwner(.remove, now: start + .seconds(30))
        #expect(machine.deadline == start + .seconds(90))
        machine.sawOwner(.new, now: start + .seconds(80))
        #expect(machine.tick(now: start + .seconds(90)) == [])
        machine.sawOwner(.remove, now: start + .seconds(100))
        let due = start + .seconds(160)
        #expect(machine.tick(now: due) == [.claim(name: "Home", txt: txt)])
        #expect(machine.receiveFromClaim(.groupRegistering) == [])
        // The browser sees our own claim as well.
        machine.sawOwner(.new, now: due)
        #expect(
            machine.receiveFromClaim(.groupEstablished)
                == [.stopLooking, .adopt, .report(.published(name: "Home"))]
        )
        #expect(machine.deadline == nil)
        #expect(machine.name == "Home")
    }

    @Test mutating func theWantedNameIsTriedOnceInTenMinutes() {
        _ = machine.daemonChanged(to: .up(isSettled: true))
        _ = machine.receive(.groupCollision, now: start)
        _ = machine.receive(.groupEstablished, now: start)
        machine.lookedUp(now: start)
        #expect(machine.tick(now: start + .seconds(60)) == [.claim(name: "Home", txt: txt)])
        #expect(machine.receiveFromClaim(.groupCollision) == [.abandon, .stopLooking, .lookFor(name: "Home")])
        machine.lookedUp(now: start + .seconds(61))
        #expect(machine.deadline == start + .seconds(660))
        #expect(machine.name == "Home #2")
        // When the daemon goes away, so does the search for the requested name.
        _ = machine.daemonChanged(to: .starting)
        #expect(machine.deadline == nil)
    }

    /// The name that the publication got after a conflict is used again when the daemon restarts.
    @Test mutating func theNameThatStuckIsKeptOverARestart() {
        establish()
        _ = machine.receive(.groupCollision, now: start)
        _ = machine.receive(.groupEstablished, now: start)
        #expect(machine.daemonChanged(to: .starting) == [])
        let error = BackendError(.noDaemon, "gone")
        #expect(
            machine.daemonChanged(to: .unavailable(error)) == [.report(.publishing(waitingFor: error))]
        )
        #expect(machine.daemonChanged(to: .up(isSettled: true)).last == .publish(name: "Home #2", txt: txt))
    }

    @Test mutating func aNewHostNameIsPublishedAnew() {
        establish()
        #expect(
            machine.daemonChanged(to: .up(isSettled: false)) == [.reset, .report(.publishing(waitingFor: nil))]
        )
        // Late events about the withdrawn records are ignored.
        #expect(machine.receive(.groupEstablished, now: start) == [])
        #expect(machine.daemonChanged(to: .up(isSettled: true)).last == .publish(name: "Home", txt: txt))
    }

    @Test mutating func textIsUpdatedInPlace() {
        // While nothing is published, the TXT record is stored for the next publication.
        #expect(machine.update(other) == [])
        #expect(machine.daemonChanged(to: .up(isSettled: true)).last == .publish(name: "Home", txt: other))
        #expect(machine.update(other) == [])
        #expect(machine.update(txt) == [.updateTXT(name: "Home", txt: txt)])
        _ = machine.receive(.groupEstablished, now: start)
        #expect(machine.update(other) == [.updateTXT(name: "Home", txt: other)])
        // A later publication uses the new TXT record as well.
        _ = machine.daemonChanged(to: .starting)
        #expect(machine.daemonChanged(to: .up(isSettled: true)).last == .publish(name: "Home", txt: other))
    }

    /// A service whose update is refused is published again with the new TXT record; otherwise the outdated one would
    /// stay without anybody noticing.
    @Test mutating func anUpdateThatIsRefusedIsPublishedAnew() {
        establish()
        _ = machine.update(other)
        #expect(
            machine.updated(AvahiError.failure)
                == [.report(.publishing(waitingFor: nil)), .publish(name: "Home", txt: other)]
        )
        #expect(machine.updated(nil) == [])
    }

    @Test mutating func anUpdateThatTheDaemonDidNotLiveToTakeWaitsForIt() {
        establish()
        _ = machine.update(other)
        #expect(machine.updated(.disconnected) == [])
        #expect(machine.daemonChanged(to: .up(isSettled: true)).last == .publish(name: "Home", txt: other))
    }

    @Test(arguments: [
        (AvahiError.tooManyEntries, ErrorCode<BackendError>.limitReached), (.notPermitted, .refused),
        (.failure, .invalid),
    ])
    func whatTheDaemonRefusesFails(_ error: AvahiError, _ code: ErrorCode<BackendError>) {
        var machine = machine
        _ = machine.daemonChanged(to: .up(isSettled: true))
        guard case .report(.failed(let failure)) = machine.added(error, now: start).last else {
            Issue.record("not failed")
            return
        }
        #expect(failure.code == code)
        #expect(machine.isFinished)
    }

    /// Errors of a daemon that is restarting are temporary: the service is published when the daemon has settled again.
    @Test(arguments: [AvahiError.badState, .disconnected, .dbus, .noDaemon])
    func temporaryErrorsAreWaitedFor(_ error: AvahiError) {
        var machine = machine
        _ = machine.daemonChanged(to: .up(isSettled: true))
        #expect(machine.added(error, now: start) == [])
        #expect(!machine.isFinished)
        #expect(machine.daemonChanged(to: .up(isSettled: true)).last == .publish(name: "Home", txt: txt))
    }
}
