import DNSSD
import GatewayProtocol
import Testing

@testable import Scanning

/// The names that a user has given to gateways: who has them, and who must not.
@Suite struct AliasTests {
    private var map = BotMap()

    private static func alias(
        _ id: String,
        fp: String? = nil,
        leaf: UInt8? = nil,
        _ name: String = "Attic"
    ) -> GatewayAlias {
        GatewayAlias(
            gatewayID: id,
            fingerprint: fp.map(Samples.fingerprint),
            leaf: leaf.map(Samples.leaf),
            name: name
        )
    }

    private mutating func answer(_ name: String, at last: UInt8, fp: String?, leaf: UInt8? = nil) {
        map.apply(all: [
            .serviceFound(Samples.service(name, host: nil, at: [last])),
            .probed(Samples.endpoint(last), Samples.answer(fp, name: name, leaf: leaf)),
            .liveness(Samples.endpoint(last), .answering),
        ])
    }

    private var names: Set<String> { Set(map.gateways.map(\.name)) }

    @Test mutating func aRowHasItsNameBeforeAndAfter() {
        map.apply(.aliased([Self.alias("fingerprint:home", fp: "home")]))
        answer("A", at: 1, fp: "home")
        #expect(names == ["Attic"])
        let changes = map.apply(.aliased([]))
        #expect(names == ["A"])
        #expect(changes.contains { if case .changed(_, [.name]) = $0 { true } else { false } })
        map.apply(.aliased([Self.alias("fingerprint:home", fp: "home", "Cellar")]))
        #expect(names == ["Cellar"])
        answer("B", at: 2, fp: "other")
        #expect(names == ["Cellar", "B"])
    }

    /// Of two that claim one fingerprint without proof, none has the name, in whatever order they answer.
    @Test(arguments: [[1, 2], [2, 1]] as [[UInt8]]) mutating func aClaimantDoesNotTakeIt(order: [UInt8]) {
        map.apply(.aliased([Self.alias("fingerprint:home", fp: "home")]))
        for last in order { answer("G\(last)", at: last, fp: "home") }
        map.apply(all: order.map { .liveness(Samples.endpoint($0), .answering) })
        #expect(map.gateways.count == 2 && names == ["G1", "G2"], "\(names)")
        // The one that has proved it has it again.
        map.apply(.proved(Samples.endpoint(1), .pinnedLeaf, leaf: Samples.leaf(1)))
        #expect(names == ["G1", "G2"], "no leaf was shown")
        map.apply(all: [
            .serviceLost(Samples.instance("G2")), .probed(Samples.endpoint(2), .somethingElse(.sample)),
        ])
        // Without a certificate, it is the name of the place that had it first.
        #expect(names.contains("Attic") == (order.first == 1), "\(names)")
    }

    /// Only who shows the certificate has the name of a gateway that showed one.
    @Test mutating func whoShowsAnotherCertificateDoesNotHaveIt() {
        map.apply(.aliased([Self.alias("fingerprint:home", fp: "home", leaf: 1)]))
        answer("False", at: 2, fp: "home", leaf: 2)
        answer("Plain", at: 3, fp: "home")
        #expect(!names.contains("Attic"))
        answer("True", at: 1, fp: "home", leaf: 1)
        map.apply(all: [2, 3, 1].map { .liveness(Samples.endpoint($0), .answering) })
        #expect(names == ["False", "Plain", "Attic"], "\(names)")
    }

    /// Without fingerprint and certificate it is the name of a service, and not of one that shows more.
    @Test mutating func aServiceKeepsItsName() {
        map.apply(.aliased([Self.alias("service:A._openclaw._tcp.local")]))
        answer("B", at: 2, fp: nil)
        answer("A", at: 1, fp: nil)
        #expect(names == ["B", "Attic"])
        answer("A", at: 1, fp: nil, leaf: 1)
        #expect(names.contains("A") || !names.contains("Attic"), "\(names)")
    }

    /// Two gateways behind one front show one certificate, each at a place of its own.
    @Test mutating func behindAFrontThePlaceDecides() {
        for (number, path) in ["/one", "/two"].enumerated() {
            let endpoint = Samples.endpoint(1, path)
            map.apply(all: [
                .endpointAdded(endpoint, .local),
                .probed(endpoint, Samples.answer(nil, name: "G\(number)", leaf: 1)),
            ])
        }
        #expect(names == ["G0", "G1"])
        let id = map.gateways.first { $0.name == "G1" }?.id.description ?? ""
        map.apply(.aliased([Self.alias(id, leaf: 1)]))
        #expect(names == ["G0", "Attic"])
        let other = map.gateways.first { $0.name == "G0" }?.id.description ?? ""
        map.apply(.aliased([Self.alias(other, leaf: 1, "Bath"), Self.alias(id, leaf: 1)]))
        #expect(names == ["Bath", "Attic"])
    }

    /// A row says that its name is the user's, also where the gateway calls itself so; a row that only calls itself so does not.
    @Test mutating func aRowSaysWhoNamedIt() {
        answer("Attic", at: 1, fp: "home")
        answer("Attic", at: 2, fp: "other")
        let alias = Self.alias("fingerprint:home", fp: "home")
        let changes = map.apply(.aliased([alias]))
        #expect(changes.count == 1)
        #expect(Set(map.gateways.map(\.name)) == ["Attic"])
        let named = map.gateways.filter { $0.alias != nil }
        #expect(named.map(\.id.description) == ["fingerprint:home"] && named.first?.alias == alias)
    }

    /// One gateway has one name: the user's, else that of its pairing, else its own; and it is known by all of them.
    @Test mutating func aGatewayHasOneName() throws {
        answer("Own", at: 1, fp: "home")
        let row = try #require(map.gateways.first)
        let key = BotKey(gateway: row.id, bot: try #require(BotID("b")))
        map.apply(.paired(PairedBot(id: key, gatewayName: "Chat")))
        #expect(names == ["Own"], "nothing proves yet that it is what was paired")
        map.apply(.proved(Samples.endpoint(1), .token))
        #expect(names == ["Chat"] && map.gateways.first?.otherNames.contains("Own") == true)
        map.apply(.aliased([Self.alias("fingerprint:home", fp: "home")]))
        #expect(names == ["Attic"])
        #expect(Set(map.gateways.first?.otherNames ?? []) == ["Own", "Chat"])
        map.apply(.aliased([]))
        #expect(names == ["Chat"])
        // It may call itself otherwise meanwhile.
        map.apply(.probed(Samples.endpoint(1), Samples.answer("home", name: "Renamed")))
        map.apply(.proved(Samples.endpoint(1), .token))
        #expect(names == ["Chat"] && map.gateways.first?.otherNames.contains("Renamed") == true)
        map.apply(.unpaired(key))
        #expect(names == ["Renamed"])
    }

    /// An alias is made from what a row has answered, and from nothing that others say.
    @Test mutating func itIsMadeFromTheAnswer() throws {
        answer("A", at: 1, fp: "home", leaf: 1)
        let row = try #require(map.gateways.first)
        let alias = try #require(GatewayAlias(row, name: "Attic"))
        #expect(alias == Self.alias("fingerprint:home", fp: "home", leaf: 1))
        map.apply(.serviceFound(Samples.service("Silent", fp: "x", at: [9])))
        let silent = try #require(map.gateways.first { $0.name == "Silent" })
        #expect(GatewayAlias(silent, name: "x") == nil)
    }
}

extension ForeignAnswer {
    fileprivate static let sample = ForeignAnswer(summary: "a web server", bytes: [])
}
