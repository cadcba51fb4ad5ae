import DNSSD
import GatewayProtocol
import Testing

/// The verdict on a place, before there is a connection: each row of the table in the guide DecidingOnTrust.
@Suite struct PairedMarksTests {
    private static let own = GatewayFingerprint("own")
    private static let other = GatewayFingerprint("other")

    private func leaf(_ byte: UInt8) throws -> LeafFingerprint {
        try #require(LeafFingerprint(bytes: Array(repeating: byte, count: 32)))
    }

    private func place(_ text: String = "10.0.0.1", port: UInt16 = 443, _ resource: String = "/") throws -> Endpoint {
        Endpoint(address: try #require(IPAddress(text)), port: port, resource: resource)
    }

    private func marks(
        _ proof: PairedMarks.Proof,
        _ dialect: GatewayDialect = .optaplus,
        moves: [Endpoint: MoveReason] = [:]
    ) throws -> PairedMarks {
        let home = try place()
        let places = moves[home] == nil ? [home] : []
        return PairedMarks(dialect: dialect, proof: proof, home: home, places: places, moves: moves)
    }

    private func verdict(
        _ marks: PairedMarks,
        on endpoint: Endpoint,
        _ answer: GatewayIdentity?,
        isNear: Bool = true,
        of own: GatewayFingerprint? = own,
        isAnywhere: Bool = false,
        others: [Endpoint: PathVerdict] = [:]
    ) -> PathVerdict {
        marks.verdict(
            on: endpoint,
            answer.map { .gateway($0) },
            isNear: isNear,
            of: own,
            isAnywhere: isAnywhere,
            others: others
        )
    }

    /// A pinned certificate is followed to any address, and another one, another gateway or another dialect is not.
    @Test func aPinnedCertificateDecidesAtAnyAddress() throws {
        let (pin, elsewhere) = (try leaf(1), try place("10.0.0.9", port: 8443))
        let marks = try marks(.leaf(pin))
        func verdict(
            _ told: GatewayFingerprint?,
            _ leaf: LeafFingerprint?,
            _ dialect: GatewayDialect = .optaplus
        )
            -> PathVerdict
        {
            self.verdict(marks, on: elsewhere, GatewayIdentity(fingerprint: told, dialect: dialect, leaf: leaf))
        }
        #expect(verdict(Self.own, pin) == .own)
        #expect(verdict(Self.own, try leaf(2)) == .changedLeaf(found: try leaf(2)))
        #expect(verdict(Self.other, pin) == .moved(.gateway))
        #expect(verdict(nil, pin) == .moved(.gateway))
        #expect(verdict(Self.own, pin, .openClaw) == .moved(.gateway))
        #expect(verdict(Self.own, nil) == .unproved)
        #expect(self.verdict(marks, on: elsewhere, nil) == .possible)
        let refused = ProbeOutcome.nothing(.wrongLeaf(found: try leaf(2)))
        let found = marks.verdict(
            on: elsewhere,
            refused,
            isNear: true,
            of: Self.own,
            isAnywhere: false,
            others: [:]
        )
        #expect(found == .changedLeaf(found: try leaf(2)))
    }

    /// Where nothing else tells the gateway from others behind its front, the port and path do, at whatever address.
    @Test func withoutAFingerprintThePortAndPathDecide() throws {
        let pin = try leaf(1)
        let marks = try marks(.leaf(pin), .openClaw)
        let answer = GatewayIdentity(dialect: .openClaw, leaf: pin)
        let neighbour = try place(port: 8443)
        #expect(verdict(marks, on: try place("10.0.0.9"), answer, of: nil) == .own)
        #expect(verdict(marks, on: neighbour, answer, of: nil) == .refused)
        #expect(verdict(marks, on: try place("10.0.0.1", "/other"), answer, of: nil) == .refused)
        #expect(verdict(marks, on: neighbour, answer, of: nil, others: [neighbour: .own]) == .own)
        // A fingerprint that this dialect never tells does not replace the port and path.
        #expect(verdict(marks, on: neighbour, answer, of: Self.own) == .refused)
    }

    /// Only a session checks a certificate for a host: until then, TLS at a place of the pairing is as it was.
    @Test func aCertifiedHostIsAsItWasAtItsPlaces() throws {
        let marks = try marks(.certificate)
        let answer = GatewayIdentity(fingerprint: Self.own, dialect: .optaplus, leaf: try leaf(3))
        #expect(verdict(marks, on: try place(), answer) == .own)
        #expect(verdict(marks, on: try place("10.0.0.9"), answer) == .unproved)
        #expect(
            verdict(marks, on: try place(), GatewayIdentity(fingerprint: Self.own, dialect: .optaplus)) == .unproved
        )
        #expect(verdict(marks, on: try place("10.0.0.9"), nil) == .possible)
    }

    /// Without TLS, the address and the network are all there is; anywhere in the network, if that was trusted.
    @Test func withoutTLSTheAddressAndTheNetworkDecide() throws {
        let (home, elsewhere) = (try place(), try place("10.0.0.9"))
        let marks = try marks(.address)
        let answer = GatewayIdentity(fingerprint: Self.own, dialect: .optaplus)
        #expect(verdict(marks, on: home, answer) == .own)
        #expect(verdict(marks, on: home, nil) == .possible)
        #expect(verdict(marks, on: elsewhere, answer) == .moved(.address))
        #expect(verdict(marks, on: elsewhere, answer, isAnywhere: true) == .possible)
        #expect(verdict(marks, on: try place("203.0.113.5"), answer, isAnywhere: true) == .refused)
        #expect(verdict(marks, on: try place("169.254.169.254"), answer, isAnywhere: true) == .refused)
        #expect(verdict(marks, on: elsewhere, answer, isNear: false, isAnywhere: true) == .refused)
        #expect(verdict(marks, on: home, answer, isNear: false) == .own)
        let withTLS = GatewayIdentity(fingerprint: Self.own, dialect: .optaplus, leaf: try leaf(1))
        #expect(verdict(marks, on: home, withTLS) == .unproved)

        let abroad = try self.marks(.address, moves: [home: .router])
        #expect(verdict(abroad, on: home, answer) == .moved(.router))
        #expect(verdict(abroad, on: elsewhere, answer, isAnywhere: true) == .moved(.router))
    }

    /// What is known against an endpoint counts as well where the gateway is asked by its name there.
    @Test func anotherNetworkCountsWhateverTheName() throws {
        let (home, elsewhere) = (try place(), try place("10.0.0.9"))
        let named = Endpoint(address: home.address, port: home.port, serverName: ServerName("kitchen.example"))
        let marks = PairedMarks(
            dialect: .optaplus,
            proof: .address,
            home: named,
            places: [named],
            moves: [elsewhere: .prefix]
        )
        let answer = GatewayIdentity(fingerprint: Self.own, dialect: .optaplus)
        #expect(verdict(marks, on: elsewhere, answer, isAnywhere: true) == .moved(.prefix))
    }

    /// A gateway that its front alone tells from others is followed to the one place that is left, and only once nothing
    /// at all answers at its own.
    @Test func theLastPlaceBehindAFrontIsFollowed() throws {
        let pin = try leaf(1)
        func seen(_ port: UInt16, _ dialect: GatewayDialect?, isDead: Bool = false) throws -> SeenPlace {
            let outcome = dialect.map { ProbeOutcome.gateway(GatewayIdentity(dialect: $0, leaf: pin)) }
            return SeenPlace(try place(port: port), outcome, isSilent: dialect == nil, isDead: isDead)
        }
        let marks = try marks(.leaf(pin), .openClaw)
        let (silent, answering) = (try seen(443, nil), try seen(443, .openClaw))
        let (last, neighbour) = (try seen(8443, .openClaw), try seen(9443, .openClaw))
        #expect(marks.verdict(onOther: last, among: [silent, last]) == .own)
        #expect(marks.verdict(onOther: last, among: [last]) == .refused)
        #expect(marks.verdict(onOther: last, among: [answering, last]) == .refused)
        #expect(marks.verdict(onOther: last, among: [silent, last, neighbour]) == .moved(.port))
        #expect(marks.verdict(onOther: last, among: [silent, last, try seen(9443, .openClaw, isDead: true)]) == .own)
        #expect(marks.verdict(onOther: last, among: [silent, last, try seen(9443, .openAgents)]) == .own)
        #expect(marks.verdict(onOther: try seen(9443, .openAgents), among: [silent]) == .refused)

        // While a front starts, a neighbour's path at the same port may answer first.
        let answer = ProbeOutcome.gateway(GatewayIdentity(dialect: .openClaw, leaf: pin))
        for (address, verdict) in [("10.0.0.1", PathVerdict.moved(.port)), ("10.0.0.9", .own)] {
            let path = SeenPlace(try place(address, "/other/"), answer, isSilent: false, isDead: false)
            #expect(marks.verdict(onOther: path, among: [silent, path]) == verdict)
        }

        let oneToken = try self.marks(.leaf(pin), .openAgents)
        let left = try seen(8443, .openAgents)
        #expect(oneToken.verdict(onOther: left, among: [silent, left]) == .moved(.port))
    }

    /// A place by another name says nothing about the gateway; what has no name may be its own.
    @Test func aPlaceMayBeNamedOtherwise() throws {
        let address = try #require(IPAddress("10.0.0.1"))
        let places = ["kitchen.example", "bath.example", nil].map { name in
            Endpoint(address: address, port: 443, serverName: name.flatMap { ServerName($0) })
        }
        let marks = PairedMarks(dialect: .openClaw, proof: .address, home: places[0], places: [places[0]])
        #expect(places.map(marks.isNamedOtherwise) == [false, true, false])
        #expect(!marks.isNamedOtherwise(try place("10.0.0.9")))
        #expect(marks.naming(places[2]) == places[0])
        #expect(marks.endpoints == [places[0], places[2]])
    }

    @Test func withoutTLSATokenIsUnencrypted() throws {
        let nowhere = TrustPolicy.awaited
        #expect(nowhere.isPlain)
        #expect(!TrustPolicy.pinned(try leaf(1)).isPlain)
        #expect(!TrustPolicy.certified(host: "gw.example").isPlain)
    }

    /// A token does not follow the certificate to what the user has named otherwise: behind one front, that is a neighbour,
    /// which may be asked while the gateway's own place still counts as silent, because the front has just been started again.
    @Test func aPlaceOfAnotherNameIsNotFollowed() throws {
        let pin = try leaf(1)
        let address = try #require(IPAddress("10.0.0.1"))
        func seen(_ name: String?, port: UInt16 = 443, _ isThere: Bool = true) -> SeenPlace {
            let place = Endpoint(address: address, port: port, serverName: name.flatMap { ServerName($0) })
            let answer = ProbeOutcome.gateway(GatewayIdentity(dialect: .openClaw, leaf: pin))
            return SeenPlace(place, isThere ? answer : nil, isSilent: !isThere, isDead: !isThere)
        }
        func verdict(on other: SeenPlace, of own: SeenPlace) -> PathVerdict {
            let marks = PairedMarks(
                dialect: .openClaw,
                proof: .leaf(pin),
                home: own.endpoint,
                places: [own.endpoint]
            )
            return marks.verdict(onOther: other, among: [own, other])
        }
        let kitchen = seen("kitchen.example", false)
        #expect(verdict(on: seen("attic.example"), of: kitchen) == .moved(.port))
        #expect(verdict(on: seen("attic.example", port: 8443), of: kitchen) == .moved(.port))
        #expect(verdict(on: seen("kitchen.example", port: 8443), of: kitchen) == .own)
        #expect(verdict(on: seen(nil, port: 8443), of: kitchen) == .own)
        #expect(verdict(on: seen("attic.example", port: 8443), of: seen(nil, false)) == .own)
    }

    /// The proof that an answer gives is that of the pairing, and given at its own place or, with the pinned certificate, under
    /// any fingerprint: which one is compared apart.
    @Test func anAnswerGivesTheProof() throws {
        let (pin, other) = (try leaf(1), try leaf(2))
        func identity(_ leaf: LeafFingerprint?, _ told: GatewayFingerprint? = nil) -> GatewayIdentity {
            GatewayIdentity(fingerprint: told, dialect: .optaplus, leaf: leaf)
        }
        let (home, port) = (try place(), try place("10.0.0.9", port: 8_443))
        let cases: [(PairedMarks.Proof, GatewayIdentity, atHome: Bool, elsewhere: Bool)] = [
            (.leaf(pin), identity(pin), true, false), (.leaf(pin), identity(pin, Self.own), true, true),
            (.leaf(pin), identity(other, Self.own), false, false), (.leaf(pin), identity(nil, Self.own), false, false),
            (.certificate, identity(other), true, false), (.certificate, identity(nil), false, false),
            (.address, identity(nil), true, false), (.address, identity(pin), false, false),
        ]
        for (proof, identity, atHome, elsewhere) in cases {
            let marks = try marks(proof)
            #expect(marks.isGiven(by: identity, at: home) == atHome, "\(proof)")
            #expect(marks.isGiven(by: identity, at: port) == elsewhere, "\(proof)")
            #expect(try !self.marks(proof, .openClaw).isGiven(by: identity, at: home))
        }
    }

    /// A place of another pairing is its own where both share a certificate, or a host, and not by its address alone.
    @Test func aPlaceIsThatOfAnotherPairing() throws {
        let (pin, new) = (try leaf(1), try leaf(2))
        func marks(_ proof: PairedMarks.Proof, at place: Endpoint) -> PairedMarks {
            PairedMarks(dialect: .openClaw, proof: proof, home: place, places: [place])
        }
        let own = marks(.leaf(pin), at: try place())
        let (bath, away) = (try place(port: 8_443), try place("10.0.0.9", port: 8_443))
        for (proof, place, asked, isAnother) in [
            (PairedMarks.Proof.leaf(pin), away, bath, true), (.leaf(new), bath, bath, true),
            (.leaf(new), away, away, false), (.leaf(new), away, bath, false), (.certificate, away, away, true),
            (.certificate, away, bath, false), (.address, bath, bath, true),
        ] {
            #expect(marks(proof, at: place).hasPlace(asked, besides: own) == isAnother, "\(proof)")
        }
    }
}
