import DNSSD
import Testing

@testable import Avahi

@Suite struct PublishStateMachineTests {
    private var machine: PublishStateMachine
    private let txt = TXTRecord(strings: [Array("v=1".utf8)])
    private let other = TXTRecord(strings: [Array("v=2".utf8)])

    init() {
        let type = ServiceType(checkedName: "openclaw", transport: .tcp)
        let advertisement = Advertisement(name: "Home", types: [type], port: 3_000, txt: txt)
        machine = PublishStateMachine(advertisement, maximumRenames: 3)
    }

    private mutating func establish() {
        _ = machine.daemonChanged(to: .up(isSettled: true))
        _ = machine.receive(.groupRegistering)
        _ = machine.receive(.groupEstablished)
    }

    @Test mutating func isPublishedWhenTheDaemonHasSettled() {
        #expect(machine.daemonChanged(to: .up(isSettled: false)) == [])
        #expect(
            machine.daemonChanged(to: .up(isSettled: true))
                == [.report(.publishing(waitingFor: nil)), .publish(name: "Home", txt: txt)]
        )
        #expect(machine.added(nil) == [])
        #expect(machine.receive(.groupRegistering) == [])
        #expect(machine.receive(.groupEstablished) == [.report(.published(name: "Home"))])
        #expect(machine.receive(.groupEstablished) == [])
    }

    @Test mutating func renamesAreBounded() {
        _ = machine.daemonChanged(to: .up(isSettled: true))
        for (from, to) in [("Home", "Home #2"), ("Home #2", "Home #3"), ("Home #3", "Home #4")] {
            let actions = to == "Home #3" ? machine.added(.collision) : machine.receive(.groupCollision)
            #expect(
                actions == [
                    .report(.renamed(from: from, to: to)), .report(.publishing(waitingFor: nil)),
                    .publish(name: to, txt: txt),
                ]
            )
        }
        let actions = machine.receive(.groupCollision)
        guard actions.first == .reset, case .report(.failed(let error)) = actions.last else {
            Issue.record("not given up")
            return
        }
        #expect(error.code == .nameConflict)
        #expect(machine.isFinished)
        #expect(machine.daemonChanged(to: .up(isSettled: true)) == [])
        #expect(machine.receive(.groupCollision) == [])
        #expect(machine.update(other) == [])
    }

    @Test mutating func theNameThatStuckIsKeptOverARestart() {
        establish()
        _ = machine.receive(.groupCollision)
        _ = machine.receive(.groupEstablished)
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
        // What the group tells of what has been withdrawn says nothing.
        #expect(machine.receive(.groupEstablished) == [])
        #expect(machine.daemonChanged(to: .up(isSettled: true)).last == .publish(name: "Home", txt: txt))
    }

    @Test mutating func textIsUpdatedInPlace() {
        // While nothing is published it is kept for then.
        #expect(machine.update(other) == [])
        #expect(machine.daemonChanged(to: .up(isSettled: true)).last == .publish(name: "Home", txt: other))
        #expect(machine.update(other) == [])
        #expect(machine.update(txt) == [.updateTXT(name: "Home", txt: txt)])
        _ = machine.receive(.groupEstablished)
        #expect(machine.update(other) == [.updateTXT(name: "Home", txt: other)])
        // A later publication has it too.
        _ = machine.daemonChanged(to: .starting)
        #expect(machine.daemonChanged(to: .up(isSettled: true)).last == .publish(name: "Home", txt: other))
    }

    /// Else what is published would go on to say what is no longer true, and nobody would know.
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
        (AvahiError.tooManyEntries, BackendError.Code.limitReached), (.notPermitted, .refused), (.failure, .invalid),
    ])
    func whatTheDaemonRefusesFails(_ error: AvahiError, _ code: BackendError.Code) {
        var machine = machine
        _ = machine.daemonChanged(to: .up(isSettled: true))
        guard case .report(.failed(let failure)) = machine.added(error).last else {
            Issue.record("not failed")
            return
        }
        #expect(failure.code == code)
        #expect(machine.isFinished)
    }

    @Test(arguments: [AvahiError.badState, .disconnected, .dbus, .noDaemon])
    func whatPassesIsWaitedFor(_ error: AvahiError) {
        var machine = machine
        _ = machine.daemonChanged(to: .up(isSettled: true))
        #expect(machine.added(error) == [])
        #expect(!machine.isFinished)
        #expect(machine.daemonChanged(to: .up(isSettled: true)).last == .publish(name: "Home", txt: txt))
    }
}
