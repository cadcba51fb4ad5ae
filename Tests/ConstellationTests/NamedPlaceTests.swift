import DNSSD
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// Places that the user named by a host name: behind one front, each name may be another gateway; and what is there is
/// often advertised as well, without that name.
@Suite struct NamedPlaceTests {
    private var map = BotMap()
    private let unnamed = Samples.endpoint(1)
    private let kitchen = Samples.endpoint(1, named: "kitchen.example")
    private let bath = Samples.endpoint(1, named: "bath.example")

    /// Without a fingerprint, two names of one front are two gateways, although the answers are alike.
    @Test(arguments: [nil, 1] as [UInt8?]) mutating func eachNameIsAGateway(leaf: UInt8?) {
        map.apply(all: [.endpointAdded(kitchen, .local), .endpointAdded(bath, .local)])
        map.apply(all: [
            .probed(kitchen, Samples.answer(nil, leaf: leaf)), .probed(bath, Samples.answer(nil, leaf: leaf)),
        ])
        #expect(map.gateways.map { $0.paths.map(\.endpoint) } == [[bath], [kitchen]])
        map.apply(.liveness(kitchen, .gone))
        #expect(Set(map.gateways.map(\.liveness)) == [.gone, .answering])
        #expect(map.inconsistencies() == [])
    }

    /// The user names a gateway that is advertised, too: it is one gateway, whichever answers first.
    @Test(arguments: [nil, 1] as [UInt8?], [true, false])
    mutating func anAdvertisedOneIsNamed(leaf: UInt8?, isFirst: Bool) {
        map.apply(all: [.endpointAdded(kitchen, .local), .serviceFound(Samples.service("Home", at: [1]))])
        let answers: [BotMapEvent] = [kitchen, unnamed].map { .probed($0, Samples.answer(nil, leaf: leaf)) }
        map.apply(all: isFirst ? answers : answers.reversed())
        #expect(map.gateways.map { Set($0.paths.map(\.endpoint)) } == [[kitchen, unnamed]])
        #expect(map.gateways.first?.flags == [])
        #expect(map.gateways.first?.paths.first?.endpoint == kitchen, "what the user typed goes first")
        #expect(map.inconsistencies() == [])
    }

    /// What leads to one of its addresses leads to the place that the user named there: all of its addresses are one
    /// gateway, whichever answers first.
    @Test(arguments: ["one", nil], Array(0..<6)) mutating func allAddressesOfAnAdvertisedOneAreNamed(
        fingerprint: String?,
        order: Int
    ) {
        map.apply(all: [.endpointAdded(kitchen, .local), .serviceFound(Samples.service("Home", at: [1, 2]))])
        let places = [kitchen, unnamed, Samples.endpoint(2)]
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        map.apply(all: orders[order].map { .probed(places[$0], Samples.answer(fingerprint)) })
        #expect(map.gateways.map { Set($0.paths.map(\.endpoint)) } == [Set(places)])
        #expect(map.gateways.first?.flags == [])
        #expect(map.inconsistencies() == [])
    }

    /// Behind two names at one of its addresses there may be two gateways: its other address may be either.
    @Test mutating func anotherAddressOfOneOfTwoNamesIsApart() {
        map.apply(all: [.endpointAdded(kitchen, .local), .endpointAdded(bath, .local)])
        map.apply(.serviceFound(Samples.service("Home", at: [1, 2])))
        map.apply(all: [kitchen, bath, Samples.endpoint(2)].map { .probed($0, Samples.answer(nil)) })
        #expect(map.gateways.count == 3)
    }

    /// With two names, nobody can tell which of them the advertised one is.
    @Test mutating func anAdvertisedOneOfTwoNamesIsApart() {
        map.apply(all: [.endpointAdded(kitchen, .local), .endpointAdded(bath, .local)])
        map.apply(.serviceFound(Samples.service("Home", at: [1])))
        map.apply(all: [kitchen, bath, unnamed].map { .probed($0, Samples.answer(nil, leaf: 1)) })
        #expect(map.gateways.count == 3)
    }

    /// The address and a name, both typed in: a front may answer for its address as another gateway than by the name.
    @Test mutating func aTypedAddressIsApart() {
        map.apply(all: [.endpointAdded(kitchen, .local), .endpointAdded(unnamed, .local)])
        map.apply(all: [kitchen, unnamed].map { .probed($0, Samples.answer(nil, leaf: 1)) })
        #expect(map.gateways.count == 2)
    }

    /// Where a gateway tells who it is, its names are one gateway, and nothing is flagged; another fingerprint is another.
    @Test(arguments: [nil, 1] as [UInt8?]) mutating func aFingerprintTells(leaf: UInt8?) {
        map.apply(all: [kitchen, bath, unnamed].map { .endpointAdded($0, .local) })
        map.apply(all: [
            .probed(kitchen, Samples.answer("one", leaf: leaf)), .probed(unnamed, Samples.answer("one", leaf: leaf)),
            .probed(bath, Samples.answer("two", leaf: leaf)),
        ])
        #expect(map.gateways.map { Set($0.paths.map(\.endpoint)) } == [[kitchen, unnamed], [bath]])
        #expect(map.gateways.allSatisfy { $0.flags == [] })
    }

    /// A gateway that was paired by its name, and is advertised without, is the paired one, and not a stranger beside it.
    @Test(arguments: [nil, 1] as [UInt8?]) mutating func aPairedOneIsRecognizedWithoutItsName(leaf: UInt8?) {
        pair(at: kitchen, leaf)
        map.apply(.serviceFound(Samples.service("Home", at: [1])))
        map.apply(.probed(unnamed, Samples.answer(nil, leaf: leaf)))
        #expect(map.gateways.map(\.id) == [.candidate(.endpoint(kitchen))])
        #expect(map.gateways.first?.flags == [])
        #expect(map.gateways.first?.liveness == .answering)
        // The front has another gateway by another name.
        map.apply(all: [.endpointAdded(bath, .local), .probed(bath, Samples.answer(nil, leaf: leaf))])
        #expect(map.gateways.count == 2)
        #expect(map.gateways.allSatisfy { $0.flags == [] })
    }

    /// A gateway that was paired without a name, and is named now: after an outage the name may answer first, and nothing is
    /// said against it.
    @Test(arguments: [nil, 1] as [UInt8?]) mutating func namingAPairedOneAccusesNobody(leaf: UInt8?) {
        map.apply(.serviceFound(Samples.service("Home", at: [1])))
        map.apply(.probed(unnamed, Samples.answer(nil, leaf: leaf)))
        pair(at: unnamed, leaf)
        map.apply(all: [.endpointAdded(kitchen, .local), .probed(kitchen, Samples.answer(nil, leaf: leaf))])
        for liveness in [Liveness.suspect, .gone] {
            map.apply(all: [.liveness(unnamed, liveness), .liveness(kitchen, liveness)])
        }
        map.apply(all: [.probed(kitchen, Samples.answer(nil, leaf: leaf)), .liveness(kitchen, .answering)])
        #expect(map.gateways.allSatisfy { $0.flags == [] }, "\(map.gateways)")
    }

    private mutating func pair(at place: Endpoint, _ leaf: UInt8?) {
        let marks = PairedMarks(
            dialect: .optaplus,
            proof: leaf.map { .leaf(Samples.leaf($0)) } ?? .address,
            home: place,
            places: [place]
        )
        let id = map.gateways.first?.id ?? .candidate(.endpoint(place))
        map.apply(.paired(PairedBot(id: BotKey(gateway: id, bot: Samples.bot("b")), name: "B", marks: marks)))
    }
}
