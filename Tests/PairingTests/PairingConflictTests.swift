import DNSSD
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Pairing

/// Which gateways are taken for a paired one that has changed, and not for another one.
@Suite struct PairingConflictTests {
    private static let elsewhere = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0009)), port: 3_000)

    private func likeness(_ offer: PairingOffer, _ pairing: StoredPairing) -> GatewayLikeness? {
        offer.conflict(with: [pairing])?.likeness
    }

    /// The fingerprint, the row, an address of the pairing, and its name with all its bots are likenesses, each alone;
    /// a name alone is none. It does not matter whether the gateway shows another certificate or none.
    @Test(arguments: [true, false]) func aLikenessIsMoreThanAName(hasTLS: Bool) throws {
        let bots = try PairingSamples.bots("a", "b")
        let leaf = hasTLS ? try PairingSamples.leaf(8) : nil
        let pinned = TrustPolicy.pinned(try PairingSamples.leaf(7))
        let offer = try PairingSamples.offer(leaf: leaf, bots: bots)
        let away = [Self.elsewhere]
        #expect(likeness(offer, PairingSamples.pairing(pinned, at: away)) == .fingerprint)
        let row = PairingSamples.pairing(pinned, gatewayID: offer.gatewayID.description, fingerprint: nil, at: away)
        #expect(likeness(offer, row) == .row)
        #expect(likeness(offer, PairingSamples.pairing(pinned, fingerprint: nil)) == .place)
        #expect(likeness(offer, PairingSamples.pairing(pinned, fingerprint: nil, at: away, bots: bots)) == .nameAndBots)
        #expect(likeness(offer, PairingSamples.pairing(pinned, fingerprint: nil, at: away)) == nil)
    }

    /// Another certificate at the place of a pairing is a conflict, too, if one of both has no host name; behind a front, two
    /// names may have a certificate each.
    @Test(
        arguments: [
            ("kitchen.example", nil, true), (nil, "kitchen.example", true),
            ("kitchen.example", "kitchen.example", true), ("bath.example", "kitchen.example", false),
        ] as [(String?, String?, Bool)]
    )
    func itsPlaceIsThatWithItsNameOrWithout(offered: String?, paired: String?, isConflict: Bool) throws {
        let places = [offered, paired].map { $0.map(PairingSamples.endpoint(named:)) ?? PairingSamples.endpoint }
        let offer = try PairingSamples.offer(.openClaw, leaf: PairingSamples.leaf(8), at: places[0])
        let pinned = TrustPolicy.pinned(try PairingSamples.leaf(7))
        let pairing = PairingSamples.pairing(pinned, fingerprint: nil, at: [places[1]])
        #expect(likeness(offer, pairing) == (isConflict ? .place : nil))
        // Its own proof tells one behind a front from the paired one, which has to prove itself by the same name.
        let given = try PairingSamples.offer(.openClaw, leaf: PairingSamples.leaf(8), proof: .leafGiven, at: places[0])
        #expect(likeness(given, pairing) == (offered == paired ? .place : nil))
        // Whoever is where a paired gateway was is no given address.
        let target = PairingTarget(place: .endpoints([places[0]]))
        let plain = try PairingSamples.offer(.openClaw, at: places[0])
        #expect(plain.isAtGivenAddress(of: target, [pairing]) == !isConflict)
    }

    /// A gateway with the name and even the bots of a paired one, and with a fingerprint of its own, is another one.
    @Test func aNamesakeIsAnotherGateway() throws {
        let bots = try PairingSamples.bots("a")
        let offer = try PairingSamples.offer(leaf: PairingSamples.leaf(8), fingerprint: "own", bots: bots)
        let pinned = TrustPolicy.pinned(try PairingSamples.leaf(7))
        #expect(likeness(offer, PairingSamples.pairing(pinned, at: [Self.elsewhere], bots: bots)) == nil)
    }

    /// A pairing without TLS is replaced by one with the certificate that its gateway has now: at the same place, and with the
    /// same fingerprint or name.
    @Test func whatHasTLSNowIsReplaced() throws {
        let plain = TrustPolicy.sameAddress(try #require(PairingSamples.home.homeNetwork))
        let offer = try PairingSamples.offer(leaf: PairingSamples.leaf(8))
        #expect(offer.replaces(PairingSamples.pairing(plain, name: "Another")))
        #expect(offer.replaces(PairingSamples.pairing(plain, fingerprint: nil, name: "home gateway")))
        #expect(!offer.replaces(PairingSamples.pairing(plain, fingerprint: nil, name: "Another")))
        #expect(!offer.replaces(PairingSamples.pairing(plain, fingerprint: "other", name: "Another")))
        #expect(!offer.replaces(PairingSamples.pairing(plain, at: [Self.elsewhere])))
        #expect(!offer.replaces(PairingSamples.pairing(.pinned(try PairingSamples.leaf(7)))))
        let withoutTLS = try PairingSamples.offer()
        #expect(!withoutTLS.replaces(PairingSamples.pairing(plain)))
        let ofAnotherKind = try PairingSamples.offer(.openClaw, leaf: PairingSamples.leaf(8))
        #expect(!ofAnotherKind.replaces(PairingSamples.pairing(plain, fingerprint: nil)))
    }

    /// At the present address of a paired gateway, one that says that it is another is paired with only if its
    /// certificate was given. At an earlier address it is simply another one.
    @Test func anotherGatewayAtTheAddressNeedsAProof() throws {
        let pinned = TrustPolicy.pinned(try PairingSamples.leaf(7))
        let other = { (proof: PairingProof) in
            try PairingSamples.offer(leaf: PairingSamples.leaf(8), fingerprint: "own", proof: proof)
        }
        let conflict = try #require(try other(.unproved).conflict(with: [PairingSamples.pairing(pinned)]))
        #expect(conflict.isAnother)
        #expect(try other(.leafGiven).conflict(with: [PairingSamples.pairing(pinned)]) == nil)
        let moved = PairingSamples.pairing(pinned, at: [Self.elsewhere, PairingSamples.endpoint])
        #expect(try other(.unproved).conflict(with: [moved]) == nil)
    }

    /// A gateway that was paired without TLS may have TLS by now. One that was paired as a certified host has to show a
    /// certificate for that host, also where the name of the host leads to another address.
    @Test func onlyLessProofThanAtPairingIsAConflict() throws {
        let home = try #require(PairingSamples.home.homeNetwork)
        let (tls, plain) = (try PairingSamples.offer(leaf: PairingSamples.leaf(8)), try PairingSamples.offer())
        for trust in [TrustPolicy.sameAddress(home), .lan(home)] {
            #expect(likeness(tls, PairingSamples.pairing(trust)) == nil)
            #expect(likeness(plain, PairingSamples.pairing(trust)) == nil)
        }
        let certified = PairingSamples.pairing(.certified(host: "bot.example"))
        #expect(likeness(tls, certified) == .fingerprint)
        #expect(likeness(plain, certified) == .fingerprint)
        let away = PairingSamples.pairing(.certified(host: "bot.example"), fingerprint: nil, at: [Self.elsewhere])
        let named = PairingOffer(
            gatewayID: tls.gatewayID,
            name: "Other",
            dialect: .openClaw,
            endpoint: PairingSamples.endpoint,
            leaf: tls.leaf,
            hostName: "BOT.example."
        )
        #expect(likeness(named, away) == .host)
        #expect(likeness(try PairingSamples.offer(.openClaw, leaf: PairingSamples.leaf(8)), away) == nil)
    }

    /// A host that was paired as certified, and whose name leads to one that is not, is changed, also if that one says
    /// that it is another gateway: the user has named the paired one.
    @Test func aCertifiedHostIsChangedWhateverAnswersThere() throws {
        let fingerprint = try #require(GatewayFingerprint("own"))
        let other = PairingOffer(
            gatewayID: .fingerprint(fingerprint),
            name: "Other",
            dialect: .optaplus,
            fingerprint: fingerprint,
            endpoint: PairingSamples.endpoint,
            leaf: try PairingSamples.leaf(8),
            hostName: "bot.example"
        )
        let away = PairingSamples.pairing(.certified(host: "bot.example"), at: [Self.elsewhere])
        #expect(likeness(other, away) == .host)
    }

    /// The error says both certificates.
    @Test func bothCertificatesAreSaid() throws {
        let (old, new) = (try PairingSamples.leaf(7), try PairingSamples.leaf(8))
        let offer = try PairingSamples.offer(leaf: new)
        let message = try #require(offer.conflict(with: [PairingSamples.pairing(.pinned(old))])).message
        #expect(message.contains("\(old)") && message.contains("\(new)"))
    }
}
