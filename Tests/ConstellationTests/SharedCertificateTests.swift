import DNSSD
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// Pairings that share one certificate, and whose gateways tell no fingerprint: only their ports and paths tell them apart.
@Suite struct SharedCertificateTests {
    private var map = BotMap()
    private let one = Samples.endpoint(1)
    private let other = Samples.endpoint(2)
    private let third = Samples.endpoint(3)

    /// Nothing tells which of two has come to a third address. When the other one has got another certificate, or is not
    /// paired any more, it is the one that is left, without being asked again.
    @Test(arguments: [9, nil] as [UInt8?]) mutating func theOneThatIsLeftIsFound(newLeaf: UInt8?) {
        for place in [one, other] {
            map.apply(.endpointAdded(place, .local))
            pair(at: place, leaf: 1)
        }
        map.apply(all: [.endpointAdded(third, .local), .probed(third, Samples.answer(nil, leaf: 1))])
        #expect(row(of: one)?.liveness == nil && row(of: other)?.liveness == nil)
        if let newLeaf { pair(at: other, leaf: newLeaf) } else { map.apply(.unpaired(key(of: other))) }
        #expect(row(of: one)?.liveness == .answering)
        #expect(row(of: one)?.paths.contains { $0.endpoint == third } == true)
        #expect(map.gateways.allSatisfy { $0.flags == [] })
        #expect(map.inconsistencies() == [])
    }

    /// A gateway that answers elsewhere first is the paired one, and its own place is no row beside it.
    @Test mutating func itsPlaceBelongsToIt() {
        map.apply(.endpointAdded(one, .local))
        pair(at: one, leaf: 1)
        map.apply(all: [.endpointAdded(third, .local), .probed(third, Samples.answer(nil, leaf: 1))])
        #expect(map.gateways.map(\.id) == [.candidate(.endpoint(one))])
        #expect(map.inconsistencies() == [])
    }

    /// Two that are told apart by their names alone are both sought at the new address of their front, each by its name.
    @Test mutating func namesAreSoughtAtTheNewAddressOfTheirFront() {
        let places = ["kitchen.example", "bath.example"].map { Samples.endpoint(1, named: $0) }
        for place in places { pair(at: place, leaf: 1) }
        map.apply(all: [.endpointAdded(third, .local), .probed(third, Samples.answer(nil, leaf: 1))])
        for place in places {
            #expect(row(of: place) != nil)
            #expect(row(of: place)?.otherPlaces[third] == nil, "it is not refused")
        }
    }

    private func key(of place: Endpoint) -> BotKey {
        BotKey(gateway: .candidate(.endpoint(place)), bot: Samples.bot("b"))
    }

    private func row(of place: Endpoint) -> Gateway? { map[.candidate(.endpoint(place))] }

    private mutating func pair(at place: Endpoint, leaf: UInt8) {
        let marks = PairedMarks(dialect: .optaplus, proof: .leaf(Samples.leaf(leaf)), home: place, places: [place])
        map.apply(.paired(PairedBot(id: key(of: place), name: "B", marks: marks)))
    }
}
