import DNSSD
import Testing

@testable import Bonjour

@Suite struct BonjourPublishStateMachineTests {
    private let first = RegistrationKey(type: ServiceType(checkedName: "openclaw", transport: .tcp), interface: 0)
    private let second = RegistrationKey(type: ServiceType(checkedName: "other", transport: .tcp), interface: 0)
    private let txt = TXTRecord(strings: [Array("v=1".utf8)])
    private let other = TXTRecord(strings: [Array("v=2".utf8)])

    private func machine(_ keys: Set<RegistrationKey>, maximumRenames: Int = 3) -> BonjourPublishStateMachine {
        let advertisement = Advertisement(name: "Home", types: keys.map(\.type), port: 3_000, txt: txt)
        return BonjourPublishStateMachine(advertisement, registrations: keys, maximumRenames: maximumRenames)
    }

    @Test func isPublishedWhenEveryTypeIs() {
        var machine = machine([first, second])
        #expect(machine.connect() == [.report(.publishing(waitingFor: nil)), .register(name: "Home", txt: txt)])
        #expect(machine.registered(first, as: "Home") == [])
        #expect(machine.registered(second, as: "Home") == [.report(.published(name: "Home"))])
        #expect(machine.connect() == [])
    }

    @Test func theOnlyTypeKeepsTheNameThatTheLibraryTook() {
        var machine = machine([first])
        _ = machine.connect()
        #expect(
            machine.registered(first, as: "Home #2")
                == [.report(.renamed(from: "Home", to: "Home #2")), .report(.published(name: "Home #2"))]
        )
    }

    @Test func aRenamedTypeTakesTheOthersAlong() {
        var machine = machine([first, second])
        _ = machine.connect()
        _ = machine.registered(first, as: "Home")
        #expect(
            machine.registered(second, as: "Home #2") == [
                .withdraw, .report(.renamed(from: "Home", to: "Home #2")),
                .report(.publishing(waitingFor: nil)), .register(name: "Home #2", txt: txt),
            ]
        )
    }

    /// A host that claims every name slows the publication down, but does not end it.
    @Test func whoClaimsEveryNameSlowsItAndDoesNotEndIt() {
        var machine = machine([first, second], maximumRenames: 1)
        _ = machine.connect()
        _ = machine.registered(first, as: "Home #2")
        let actions = machine.registered(first, as: "Home #3")
        #expect(actions == [.withdraw, .report(.publishing(waitingFor: .namesTaken("Home")))])
        #expect(machine.isWaiting)
        #expect(machine.connect().last == .register(name: "Home #3", txt: txt))
    }

    @Test func theNameThatStuckIsRegisteredAgainAfterARestart() {
        var machine = machine([first])
        _ = machine.connect()
        _ = machine.registered(first, as: "Home #2")
        let actions = machine.failed(.unknown)
        #expect(actions == [.withdraw, .report(.publishing(waitingFor: BackendError(.unknown)))])
        // A late reply of a reference that is no longer in use is ignored.
        #expect(machine.registered(first, as: "Home") == [])
        #expect(machine.connect().last == .register(name: "Home #2", txt: txt))
    }

    @Test func textIsUpdatedInPlaceAndKeptWhileTheDaemonIsAway() {
        var machine = machine([first])
        _ = machine.connect()
        _ = machine.registered(first, as: "Home")
        #expect(machine.update(txt) == [])
        #expect(machine.update(other) == [.updateTXT(other)])
        _ = machine.failed(.unknown)
        #expect(machine.update(txt) == [])
        #expect(machine.connect().last == .register(name: "Home", txt: txt))
    }

    @Test func whatCannotBePublishedIsGivenUp() {
        var machine = machine([first])
        _ = machine.connect()
        guard case .report(.failed(let error)) = machine.failed(.badParameter).last else {
            Issue.record("not given up")
            return
        }
        #expect(error.code == .invalid)
    }

    /// A refused name is replaced by the next one: if a program of the same host already uses the name, Avahi's library
    /// refuses it and takes no other name by itself.
    @Test func aNameThatIsRefusedGivesWayToTheNext() {
        var machine = machine([first], maximumRenames: 2)
        _ = machine.connect()
        #expect(
            machine.failed(.nameConflict) == [
                .withdraw, .report(.renamed(from: "Home", to: "Home #2")),
                .report(.publishing(waitingFor: nil)), .register(name: "Home #2", txt: txt),
            ]
        )
        _ = machine.failed(.nameConflict)
        #expect(machine.failed(.nameConflict).last == .report(.publishing(waitingFor: .namesTaken("Home"))))
        #expect(machine.connect().last == .register(name: "Home #4", txt: txt))
    }

    /// A call that failed after a long time is reported as a daemon that does not answer, rather than as a missing
    /// daemon.
    @Test func aCallThatTookTooLongMeansThatTheDaemonDoesNotAnswer() {
        var machine = machine([first])
        _ = machine.connect()
        let actions = machine.failed(.unknown, after: .seconds(25))
        #expect(actions.last == .report(.publishing(waitingFor: .daemonNotAnswering)))
        #expect(machine.isWaiting)
    }
}
