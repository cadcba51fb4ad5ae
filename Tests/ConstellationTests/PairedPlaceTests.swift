import DNSSD
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// The warnings about a paired gateway, in the very event that gives cause for them: whatever answers at its place, it may
/// belong to no row, or to another one.
@Suite struct PairedPlaceTests {
    private var map = BotMap()
    private let home = Samples.endpoint(1)
    private let elsewhere = Samples.endpoint(2)
    private let id = GatewayID.fingerprint(Samples.fingerprint("one"))

    private mutating func pair(_ proof: PairedMarks.Proof) {
        let marks = PairedMarks(dialect: .optaplus, proof: proof, home: home, places: [home])
        map.apply(.paired(PairedBot(id: Samples.key("one", "b"), name: "B", marks: marks)))
    }

    @Test mutating func anotherCertificateAtItsPlaceIsSeenAtOnce() {
        pair(.leaf(Samples.leaf(1)))
        map.apply(.endpointAdded(home, .local))
        #expect(map[id]?.flags == [])
        let changes = map.apply(.probed(home, .nothing(.wrongLeaf(found: Samples.leaf(2)))))
        #expect(changes.contains { $0.gateway?.id == id && $0.gateway?.flags == [.changedLeaf] })
        #expect(map.inconsistencies() == [])
    }

    @Test mutating func anotherGatewayAtItsPlaceIsSeenAtOnce() {
        pair(.address)
        map.apply(.endpointAdded(home, .local))
        let changes = map.apply(.probed(home, Samples.answer("two")))
        #expect(map.gateways.count == 2)
        #expect(changes.contains { $0.gateway?.id == id && $0.gateway?.flags == [.moved] })
        #expect(map.inconsistencies() == [])
    }

    /// Another address of the gateway's own service is news only once its own place is silent.
    @Test mutating func anotherAddressCountsOnceItsPlaceIsSilent() {
        pair(.address)
        map.apply(.serviceFound(Samples.service("Home", at: [1, 2])))
        map.apply(all: [.probed(home, Samples.answer("one")), .probed(elsewhere, Samples.answer("one"))])
        #expect(map.gateways.map(\.flags) == [[]])
        map.apply(.liveness(home, .gone))
        map.apply(all: [.probed(elsewhere, Samples.answer("one")), .liveness(elsewhere, .answering)])
        #expect(map.gateways.map(\.flags) == [[.moved]])
        map.apply(all: [.probed(home, Samples.answer("one")), .liveness(home, .answering)])
        #expect(map.gateways.map(\.flags) == [[]])
    }

    /// Whatever answers elsewhere first, as a scan begins, is news only once its own place was asked.
    @Test mutating func nobodyHasMovedBeforeItsPlaceWasAsked() {
        pair(.address)
        map.apply(.endpointAdded(home, .local))
        map.apply(.serviceFound(Samples.service("Home", at: [2])))
        map.apply(all: [.probed(elsewhere, Samples.answer("one")), .liveness(elsewhere, .answering)])
        #expect(map[id]?.flags == [])
        map.apply(.probed(home, .nothing(.unreachable)))
        #expect(map[id]?.flags == [.moved])
        #expect(map.inconsistencies() == [])
    }

    /// A place that becomes known only after somebody has answered elsewhere is waited for as well.
    @Test mutating func aPlaceThatIsKnownLateIsWaitedFor() {
        pair(.address)
        map.apply(.serviceFound(Samples.service("Home", at: [2])))
        map.apply(all: [.probed(elsewhere, Samples.answer("one")), .liveness(elsewhere, .answering)])
        map.apply(.endpointAdded(home, .local))
        #expect(map[id]?.flags == [])
        #expect(map.inconsistencies() == [])
        // What is not asked any more is not waited for, even if it was to wait.
        map.apply(.waiting(home, .probeLimit))
        #expect(map[id]?.flags == [])
        map.apply(.endpointRemoved(home))
        #expect(map[id]?.flags == [.moved])
        #expect(map.inconsistencies() == [])
    }

    /// A place of a pairing that the user named by a host name is waited for, known by that name or without it.
    @Test(arguments: [true, false]) mutating func aPlaceWithANameIsWaitedFor(isKnownByName: Bool) {
        let named = Samples.endpoint(1, named: "box.example")
        let marks = PairedMarks(dialect: .optaplus, proof: .address, home: named, places: [named])
        map.apply(.paired(PairedBot(id: Samples.key("one", "b"), name: "B", marks: marks)))
        map.apply(.endpointAdded(elsewhere, .local))
        map.apply(all: [.probed(elsewhere, Samples.answer("one")), .liveness(elsewhere, .answering)])
        #expect(map[id]?.flags == [.moved])
        let known = isKnownByName ? named : home
        map.apply(.endpointAdded(known, .local))
        // What a session says of the other one is no answer.
        if !isKnownByName { map.apply(.sessionLiveness(named, .suspect)) }
        #expect(map[id]?.flags == [])
        map.apply(.probed(known, .nothing(.unreachable)))
        #expect(map[id]?.flags == [.moved])
        #expect(map.inconsistencies() == [])
    }

    /// Of a gateway whose certificate the system vouches for, only a session finds out which of two is the renewed one: until
    /// then, neither place accuses the other, whichever answered first, and whether or not the first has stopped.
    @Test(arguments: [true, false]) mutating func aRenewedCertificateAccusesNoPlace(hasFirstStopped: Bool) {
        let marks = PairedMarks(dialect: .optaplus, proof: .certificate, home: home, places: [home, elsewhere])
        map.apply(.paired(PairedBot(id: Samples.key("one", "b"), name: "B", marks: marks)))
        map.apply(all: [.endpointAdded(home, .local), .endpointAdded(elsewhere, .local)])
        map.apply(.probed(home, Samples.answer("one", leaf: 1)))
        if hasFirstStopped { map.apply(.liveness(home, .gone)) }
        map.apply(all: [.probed(elsewhere, Samples.answer("one", leaf: 2)), .liveness(elsewhere, .answering)])
        #expect(map.gateways.map(\.flags) == [[]] && map[id]?.liveness == .answering)
        // Whatever is proved tells them apart.
        map.apply(.proved(elsewhere, .certified, leaf: Samples.leaf(2)))
        map.apply(all: [.probed(home, Samples.answer("one", leaf: 1)), .liveness(home, .answering)])
        #expect(map[id]?.paths.filter(\.contradicts).map(\.endpoint) == [home])
        #expect(map.inconsistencies() == [])
    }

    /// A gateway that misses checks is suspect for that reason, and for another one if it floods.
    @Test mutating func aMissIsNoFlood() {
        map.apply(all: [.endpointAdded(home, .local), .probed(home, Samples.answer("one"))])
        map.apply(.liveness(home, .suspect))
        #expect(map[id]?.isFlooding == false)
        map.apply(.flooding(home, true))
        #expect(map[id]?.isFlooding == true)
    }
}
