import DNSSD
import GatewayClient
import GatewayProtocol
import Scanning
import Testing

@testable import Pairing

/// The choice of paths to a paired gateway, from its stored endpoints and the rows of the map.
@Suite struct PathChoiceTests {
    private let fingerprint: GatewayFingerprint
    private let pin: LeafFingerprint
    private let otherLeaf: LeafFingerprint
    private let home: HomeNetwork
    private let atHome: NetworkObservation

    init() throws {
        fingerprint = try #require(GatewayFingerprint("abc"))
        pin = try #require(LeafFingerprint(bytes: Array(repeating: 1, count: 32)))
        otherLeaf = try #require(LeafFingerprint(bytes: Array(repeating: 2, count: 32)))
        let prefix = try #require(IPAddress("10.0.0.0", interfaces: []))
        atHome = NetworkObservation(
            prefix: prefix,
            prefixLength: 24,
            router: .at([2, 0, 0, 0, 0, 1]),
            gateway: .at([2, 0, 0, 0, 0, 9])
        )
        home = try #require(atHome.homeNetwork)
    }

    private func endpoint(_ number: UInt32) -> Endpoint {
        Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0000 | number)), port: 3_000)
    }

    private func pairing(
        _ trust: TrustPolicy,
        at endpoints: [Endpoint] = [],
        remote: String? = nil
    ) -> StoredPairing {
        StoredPairing(
            gatewayID: GatewayID.fingerprint(fingerprint).description,
            fingerprint: fingerprint,
            name: "Home",
            dialect: .optaplus,
            trust: trust,
            endpoints: endpoints,
            remoteURL: remote,
            pairedAt: 0,
            bots: BotID("b").map { [StoredBot(id: $0, name: "Jarvis")] } ?? []
        )
    }

    /// Returns a map that knows of pairings.
    private func map(of pairings: [StoredPairing], _ network: NetworkObservation? = nil) -> BotMap {
        var map = BotMap()
        var paired = PairedGateways()
        let events = paired.take(pairings, interfaces: [], network: { _ in network })
        for event in events { _ = map.apply(event) }
        return map
    }

    /// Returns the rows of a map in which these endpoints have answered, each with its leaf.
    private func rows(
        _ answers: [(Endpoint, LeafFingerprint?)],
        _ reach: Reach = .local,
        of pairing: StoredPairing? = nil,
        _ network: NetworkObservation? = nil
    ) -> [Gateway] {
        var map = map(of: pairing.map { [$0] } ?? [], network)
        for (endpoint, leaf) in answers {
            _ = map.apply(.endpointAdded(endpoint, reach))
            let identity = GatewayIdentity(fingerprint: fingerprint, name: "Home", dialect: .optaplus, leaf: leaf)
            _ = map.apply(.probed(endpoint, .gateway(identity)))
            _ = map.apply(.liveness(endpoint, .answering))
        }
        // A second gateway with the fingerprint is shown only once the first one has answered again.
        for (endpoint, _) in answers { _ = map.apply(.liveness(endpoint, .answering)) }
        return map.gateways
    }

    private func offer(
        _ pairing: StoredPairing,
        rows: [Gateway] = [],
        network: NetworkObservation? = nil
    ) -> PathOffer {
        PathChoice(
            pairing,
            pairing.marks({ _ in network }, seen: rows.flatMap(\.paths).map(\.endpoint)),
            rowID: .fingerprint(fingerprint),
            rows: rows
        ).offer
    }

    /// A gateway that is not in the map is sought at its stored endpoints.
    @Test func whatIsNotInTheMapIsSoughtWhereItWas() {
        let offer = offer(pairing(.pinned(pin), at: [endpoint(1), endpoint(2)]))
        #expect(offer.local.map(\.endpoint) == [endpoint(1), endpoint(2)])
        #expect(offer.local.first?.transport == .tls(pin: pin))
        #expect(offer.obstacle == nil)
    }

    /// An endpoint that shows the pinned leaf comes first, and one that shows another leaf is left out.
    @Test func thePinnedLeafGoesFirstWhereverItIs() {
        let rows = rows([(endpoint(3), otherLeaf), (endpoint(5), pin)])
        let offer = offer(pairing(.pinned(pin), at: [endpoint(1)]), rows: rows)
        #expect(offer.local.first?.endpoint == endpoint(5))
        #expect(!offer.local.contains { $0.endpoint == endpoint(3) })
        #expect(offer.obstacle == nil)
    }

    /// A host that is trusted by its name is sought at its addresses, and then where the name leads now; the remote URL
    /// of the pairing takes the place of that.
    @Test func aCertifiedHostIsAlsoSoughtByItsName() {
        let trust = TrustPolicy.certified(host: "gw.example")
        let offer = offer(pairing(trust, at: [endpoint(1)]))
        #expect(offer.local.map(\.place) == [.endpoint(endpoint(1)), .host("gw.example", port: 3_000)])
        #expect(offer.local.allSatisfy { $0.transport == .certified(host: "gw.example") })
        let remote = self.offer(pairing(trust, at: [endpoint(1)], remote: "wss://gw.example"))
        #expect(remote.local.map(\.endpoint) == [endpoint(1)])
        #expect(remote.remote.map(\.place) == [.host("gw.example", port: 443)])
    }

    /// A state of knowledge about the place of a pairing.
    enum OwnPlace: CaseIterable {
        case answers
        case hasGone
        case isRefused
        case isRefusedAndInNoRow
        case hangs
        case hasItsFrontAlone
        case hasItsFrontAloneSinceTheStart
        case showsAnotherLeaf
        case isNotAskedYet

        var leavesIt: Bool { self == .hasGone || self == .isRefused || self == .isRefusedAndInNoRow }
    }

    /// The port and path of a gateway that tells no fingerprint are a part of the proof while anything answers there, if
    /// only its front, and until that is known: behind one front, which shows its certificate everywhere, the others are
    /// other gateways. Once it is known to be silent there, even if nothing leads there any more, the certificate leads to
    /// it at any other place but a path at its very address and port.
    @Test(arguments: OwnPlace.allCases, [(4_000, "/"), (3_000, "/other/")])
    func anotherPlaceWithTheSameCertificateIsAnotherGateway(own: OwnPlace, place: (port: Int, path: String)) throws {
        let other = Endpoint(address: endpoint(1).address, port: UInt16(place.port), resource: place.path)
        let offer = openClawOffer(own, others: [other])
        // What answers at its address and port shows that the front is there after all.
        let isAtItsDoor = other.port == endpoint(1).port
        #expect(offer.local.map(\.endpoint).contains(other) == (own.leavesIt && !isAtItsDoor))
        #expect(offer.local.map(\.endpoint).contains(endpoint(1)) == (own != .showsAnotherLeaf))
        let moved: PathOffer.Obstacle? = own.leavesIt && isAtItsDoor ? .moved(.port) : nil
        #expect(offer.obstacle == (own == .showsAnotherLeaf ? .changedLeaf(found: otherLeaf) : moved))
    }

    /// While several other places show the certificate, nothing says which of them is the gateway's.
    @Test func itIsNotSoughtAtOneOfSeveralOtherPlaces() {
        let others = [4_000, 5_000].map { Endpoint(address: endpoint(1).address, port: $0) }
        let offer = openClawOffer(.hasGone, others: others)
        #expect(offer.local.map(\.endpoint) == [endpoint(1)])
        #expect(offer.obstacle == .moved(.port))
        // At another address, the same port and path are its own.
        let moved = openClawOffer(.hasGone, others: [endpoint(2)] + others)
        #expect(moved.local.map(\.endpoint).contains(endpoint(2)))
        #expect(!moved.local.contains { others.contains($0.endpoint ?? endpoint(9)) })
    }

    /// The last place that shows the certificate is not its own if it is that of another pairing, or if a gateway of
    /// another dialect is there.
    @Test(arguments: [true, false]) func itIsNotSoughtAtThePlaceOfAnother(isOfPairing: Bool) {
        let other = Endpoint(address: endpoint(1).address, port: 4_000)
        #expect(openClawOffer(.hasGone, others: [other]).local.map(\.endpoint).contains(other))
        let dialect = isOfPairing ? GatewayDialect.openClaw : .optaplus
        let offer = openClawOffer(.hasGone, others: [other], dialect, taken: isOfPairing ? [other] : [])
        #expect(offer.local.map(\.endpoint) == [endpoint(1)])
        #expect(offer.obstacle == nil)
    }

    /// The one token of a gateway opens all of it, and stays where the user has given it: another port or path with the
    /// certificate is shown as moved, however alone it is, once nothing answers at its own place.
    @Test(
        arguments: OwnPlace.allCases,
        [(1, 4_000, "/"), (1, 3_000, "/other/"), (2, 4_000, "/")] as [(UInt32, Int, String)]
    )
    func theOneTokenOfAGatewayStaysAtItsPlace(own: OwnPlace, place: (last: UInt32, port: Int, path: String)) {
        let other = Endpoint(address: endpoint(place.last).address, port: UInt16(place.port), resource: place.path)
        for isAnswering in [true, false] {
            let offer = leafAloneOffer(own, others: [other], isAnswering: isAnswering, of: .openAgents, .openAgents)
            #expect(offer.local.map(\.endpoint) == (own == .showsAnotherLeaf ? [] : [endpoint(1)]))
            guard own != .showsAnotherLeaf else { continue }
            #expect(offer.obstacle == (own.leavesIt && isAnswering ? .moved(.port) : nil))
        }
    }

    /// At its own port and path the certificate proves it at whatever address, such as its other one, or a new one.
    @Test func theOneTokenFollowsTheCertificateToAnotherAddress() {
        let other = Endpoint(address: endpoint(2).address, port: endpoint(1).port)
        let offer = leafAloneOffer(.answers, others: [other], of: .openAgents, .openAgents)
        #expect(offer.local.map(\.endpoint).contains(other) && offer.obstacle == nil)
    }

    private func openClawOffer(
        _ own: OwnPlace,
        others: [Endpoint],
        _ dialect: GatewayDialect = .openClaw,
        taken: [Endpoint] = []
    ) -> PathOffer {
        leafAloneOffer(own, others: others, taken: taken, of: .openClaw, dialect)
    }

    private func pairing(at place: Endpoint, _ dialect: GatewayDialect) -> StoredPairing {
        StoredPairing(
            gatewayID: GatewayID.candidate(.endpoint(place)).description,
            name: "Home",
            dialect: dialect,
            trust: .pinned(pin),
            endpoints: [place],
            pairedAt: 0,
            bots: BotID("b").map { [StoredBot(id: $0, name: "Jarvis")] } ?? []
        )
    }

    /// Returns the offer for a gateway of a dialect without fingerprints, while gateways of a dialect are at other places.
    private func leafAloneOffer(
        _ own: OwnPlace,
        others: [Endpoint],
        isAnswering: Bool = true,
        taken: [Endpoint] = [],
        of ownDialect: GatewayDialect,
        _ dialect: GatewayDialect
    ) -> PathOffer {
        let paired = pairing(at: endpoint(1), ownDialect)
        var map = map(of: [paired] + taken.map { pairing(at: $0, ownDialect) })
        let identity = GatewayIdentity(dialect: ownDialect, leaf: pin)
        for place in [endpoint(1)] + others {
            if place != endpoint(1) || own != .isRefusedAndInNoRow { _ = map.apply(.endpointAdded(place, .local)) }
            if place != endpoint(1), isAnswering {
                _ = map.apply(.probed(place, .gateway(GatewayIdentity(dialect: dialect, leaf: pin))))
                _ = map.apply(.liveness(place, .answering))
            }
        }
        func probed(_ outcome: ProbeOutcome) { _ = map.apply(.probed(endpoint(1), outcome)) }
        switch own {
        case .answers: probed(.gateway(identity))
        case .hasGone, .hasItsFrontAlone, .hangs:
            probed(.gateway(identity))
            if own == .hasItsFrontAlone { probed(.nothing(.noGateway(status: 502))) }
            if own == .hasGone { probed(.nothing(.refused)) }
            _ = map.apply(.liveness(endpoint(1), .gone))
        case .isRefused, .isRefusedAndInNoRow: probed(.nothing(.refused))
        case .hasItsFrontAloneSinceTheStart: probed(.somethingElse(ForeignAnswer(summary: "", bytes: [])))
        case .showsAnotherLeaf: probed(.nothing(.wrongLeaf(found: otherLeaf)))
        case .isNotAskedYet: break
        }
        return PathChoice(
            paired,
            paired.marks { _ in nil },
            rowID: .candidate(.endpoint(endpoint(1))),
            rows: map.gateways
        ).offer
    }

    /// A gateway that tells another fingerprint is another one, even though the front of both shows the certificate; each
    /// path of a front is sought with its own path.
    @Test func behindOneFrontEachFingerprintHasItsPlace() throws {
        let own = Endpoint(address: endpoint(1).address, port: 443, resource: "/own/")
        let other = Endpoint(address: endpoint(1).address, port: 443, resource: "/other/")
        var map = BotMap()
        for (place, text) in [(own, "abc"), (other, "xyz")] {
            let told = try #require(GatewayFingerprint(text))
            _ = map.apply(.endpointAdded(place, .local))
            _ = map.apply(
                .probed(place, .gateway(GatewayIdentity(fingerprint: told, dialect: .optaplus, leaf: pin)))
            )
        }
        let offer = offer(pairing(.pinned(pin), at: [own]), rows: map.gateways)
        #expect(offer.local.map(\.endpoint) == [own])
    }

    /// Another leaf is an obstacle only where the gateway was last, and only while no path shows the pinned leaf.
    @Test func anotherLeafIsShownWhereItWasLastWhileNoPathShowsThePinnedOne() {
        let paired = pairing(.pinned(pin), at: [endpoint(1)])
        func obstacle(_ answers: [(Endpoint, LeafFingerprint?)]) -> PathOffer.Obstacle? {
            offer(paired, rows: rows(answers, of: paired)).obstacle
        }
        #expect(obstacle([(endpoint(1), otherLeaf)]) == .changedLeaf(found: otherLeaf))
        #expect(obstacle([]) == nil)
        #expect(obstacle([(endpoint(1), otherLeaf), (endpoint(5), pin)]) == nil)
    }

    /// A gateway without TLS that is trusted at its address is not followed to another one: that is shown as an
    /// obstacle.
    @Test func withoutTLSAChangedAddressIsShownAndNotConnectedTo() {
        let paired = pairing(.sameAddress(home), at: [endpoint(1)])
        let offer = offer(paired, rows: rows([(endpoint(7), nil)], of: paired, atHome), network: atHome)
        #expect(offer.local.map(\.endpoint) == [endpoint(1)])
        #expect(offer.local.first?.transport == .plain)
        #expect(offer.obstacle == .moved(.address))
    }

    /// A gateway that has TLS by now at its own place is said to have that, and not to have another address, although it has
    /// such as well; another machine in its place explains more.
    @Test func whatHasTLSByNowIsSaidToHaveIt() {
        for trust in [TrustPolicy.sameAddress(home), .lan(home)] {
            let paired = pairing(trust, at: [endpoint(1)])
            let rows = rows([(endpoint(1), otherLeaf), (endpoint(7), otherLeaf)], of: paired, atHome)
            #expect(offer(paired, rows: rows, network: atHome).obstacle == .moved(.hasTLS))
        }
        let paired = pairing(.sameAddress(home), at: [endpoint(1)])
        let other = NetworkObservation(
            prefix: atHome.prefix,
            prefixLength: 24,
            router: atHome.router,
            gateway: .at([2, 0, 0, 0, 0, 8])
        )
        let rows = rows([(endpoint(1), otherLeaf)], of: paired, other)
        #expect(offer(paired, rows: rows, network: other).obstacle == .moved(.machine))
    }

    /// A gateway that was paired with TLS, and answers without at its place, has lost it.
    @Test func whatHasLostItsTLSIsSaidToHave() {
        let paired = pairing(.pinned(pin), at: [endpoint(1)])
        #expect(offer(paired, rows: rows([(endpoint(1), nil)], of: paired)).obstacle == .moved(.lostTLS))
    }

    /// A gateway without TLS that is trusted anywhere in the network is sought where it was paired first, whoever has
    /// answered since and sooner; another place is marked.
    @Test func whoAnswersElsewhereComesAfterThePlaceOfThePairing() {
        let paired = pairing(.lan(home), at: [endpoint(1), endpoint(7)])
        for rows in [
            [], rows([(endpoint(7), nil), (endpoint(8), nil)]), rows([(endpoint(7), nil), (endpoint(1), nil)]),
        ] {
            let offer = offer(paired, rows: rows, network: atHome)
            #expect(offer.local.first?.endpoint == endpoint(1))
            #expect(offer.local.contains { $0.endpoint == endpoint(7) })
            #expect(offer.local.map(\.isElsewhere) == offer.local.map { $0.endpoint != endpoint(1) })
        }
    }

    /// A dead address in the row of a gateway without TLS does not count as a move, neither when it has answered before
    /// nor when it never has: it may be on a link that this host has left.
    @Test(arguments: [false, true])
    func withoutTLSADeadAddressIsNotWhereItHasGone(hasAnswered: Bool) {
        let paired = pairing(.sameAddress(home), at: [endpoint(1)])
        var map = map(of: [paired], atHome)
        for endpoint in [endpoint(1), endpoint(7)] { _ = map.apply(.endpointAdded(endpoint, .local)) }
        let identity = GatewayIdentity(fingerprint: fingerprint, name: "Home", dialect: .optaplus, leaf: nil)
        _ = map.apply(.probed(endpoint(1), .gateway(identity)))
        _ = map.apply(.probed(endpoint(7), hasAnswered ? .gateway(identity) : .nothing(.refused)))
        _ = map.apply(.liveness(endpoint(1), .suspect))
        _ = map.apply(.liveness(endpoint(7), .gone))
        let offer = offer(paired, rows: map.gateways, network: atHome)
        #expect(offer.obstacle == nil)
        #expect(offer.local.map(\.endpoint) == [endpoint(1)])
    }

    /// A gateway without TLS is connected to at its address only in the network of its pairing.
    @Test func withoutTLSTheSameAddressIsConnectedToInTheSameNetworkAlone() {
        let paired = pairing(.sameAddress(home), at: [endpoint(1)])
        let rows = rows([(endpoint(1), nil)], of: paired, atHome)
        #expect(offer(paired, rows: rows, network: atHome).obstacle == nil)
        #expect(offer(paired, rows: rows, network: atHome).local.count == 1)
        let elsewhere = NetworkObservation(
            prefix: home.prefix,
            prefixLength: 24,
            router: .at([2, 0, 0, 0, 0, 0xEE]),
            gateway: .at([2, 0, 0, 0, 0, 9])
        )
        let moved = self.rows([(endpoint(1), nil)], of: paired, elsewhere)
        #expect(offer(paired, rows: moved, network: elsewhere).obstacle == .moved(.router))
        #expect(offer(paired, rows: moved, network: elsewhere).local.isEmpty)
        // Where nothing answers in the other network, nothing has moved.
        let silent = self.rows([], of: paired, elsewhere)
        #expect(offer(paired, rows: silent, network: elsewhere).isEmpty)
        #expect(offer(paired, rows: silent, network: elsewhere).obstacle == nil)
        // The kernel may not have reached the address for long; connecting shows which network leads to it.
        #expect(offer(paired, rows: rows, network: nil).local.count == 1)
    }

    /// A gateway that is trusted anywhere in its network is followed to another address.
    @Test func whereAnyAddressWillDoItIsFollowed() {
        let offer = offer(
            pairing(.lan(home), at: [endpoint(1)]),
            rows: rows([(endpoint(7), nil)]),
            network: atHome
        )
        #expect(offer.local.contains { $0.endpoint == endpoint(7) })
        #expect(offer.obstacle == nil)
    }

    /// The remote URL of the pairing is offered if it has TLS and its proof is certain: a certificate for its host
    /// name, or the pinned one for an address.
    @Test func theRemoteURLOfThePairingComesLast() {
        let offer = offer(pairing(.pinned(pin), at: [endpoint(1)], remote: "wss://bot.example/gateway"))
        #expect(offer.remote.map(\.place) == [.host("bot.example", port: 443)])
        #expect(offer.remote.first?.transport == .certified(host: "bot.example"))
        #expect(offer.remote.first?.resource == "/gateway")
        #expect(self.offer(pairing(.sameAddress(home), remote: "ws://bot.example")).remote.isEmpty)
        #expect(self.offer(pairing(.sameAddress(home), remote: "wss://203.0.113.5")).remote.isEmpty)
        #expect(
            self.offer(pairing(.pinned(pin), remote: "wss://203.0.113.5")).remote.first?.transport == .tls(pin: pin)
        )
    }

    /// The number of paths is limited, and many rows that claim the fingerprint do not crowd out the stored endpoint.
    @Test func aCrowdOfClaimantsIsBounded() {
        let crowd = rows((1...40).map { (endpoint($0), nil) })
        let offer = offer(pairing(.pinned(pin), at: [endpoint(99)]), rows: crowd)
        #expect(offer.local.count == 8)
        #expect(offer.local.contains { $0.endpoint == endpoint(99) })
    }

    /// The paths of its own row and its stored endpoints take turns, so that neither crowds out the other.
    @Test func ownRowAndStoredEndpointsTakeTurns() {
        // All of them are one row, since they show the same leaf.
        let own = rows((1...40).map { (endpoint($0), otherLeaf) })
        #expect(own.count == 1)
        let paired = pairing(.lan(home), at: (90..<106).map { endpoint($0) })
        let offer = offer(paired, rows: own, network: atHome)
        #expect(offer.local.count == 8)
        let stored = offer.local.filter { $0.endpoint.map(paired.endpoints.contains) == true }
        #expect(stored.map(\.endpoint) == (90..<94).map { endpoint($0) })
    }

    /// A remote endpoint of the map is offered as a remote path, before the remote URL.
    @Test func aWayOfTheMapThatIsRemoteIsOfferedAsOneBeforeTheRemoteURL() {
        let rows = rows([(endpoint(5), pin)], .remote)
        let offer = offer(
            pairing(.pinned(pin), at: [endpoint(1), endpoint(5)], remote: "wss://bot.example"),
            rows: rows
        )
        #expect(offer.local.map(\.endpoint) == [endpoint(1)])
        #expect(offer.remote.map(\.endpoint) == [endpoint(5), nil])
        #expect(offer.remote.allSatisfy { $0.reach == .remote })
    }

    /// An endpoint that is known only from a DNS zone gets no token without TLS.
    @Test func whatIsKnownFromAZoneAloneGetsNothingInClear() {
        let found = rows([(endpoint(7), nil)], .remote)
        for trust in [TrustPolicy.lan(home), .sameAddress(home)] {
            let offer = offer(pairing(trust, at: [endpoint(1)]), rows: found, network: atHome)
            #expect(offer.all.map(\.endpoint) == [endpoint(1)])
            // The user consented to that address.
            let consented = self.offer(pairing(trust, at: [endpoint(7)]), rows: found, network: atHome)
            #expect(consented.all.map(\.endpoint) == [endpoint(7)])
        }
        // The pinned certificate identifies the gateway wherever it is.
        #expect(offer(pairing(.pinned(pin)), rows: rows([(endpoint(7), pin)], .remote)).remote.count == 1)
    }

    /// A gateway without a fingerprint is followed by its pinned leaf into any row.
    @Test func thePinnedLeafIsFollowedIntoARowWithoutAFingerprint() throws {
        let paired = pairing(at: endpoint(1), .openClaw)
        var map = map(of: [paired])
        for (number, leaf) in [(UInt32(5), pin), (6, otherLeaf)] {
            _ = map.apply(.endpointAdded(endpoint(number), .local))
            let identity = GatewayIdentity(fingerprint: nil, name: "Home", dialect: .openClaw, leaf: leaf)
            _ = map.apply(.probed(endpoint(number), .gateway(identity)))
        }
        let choice = PathChoice(
            paired,
            paired.marks { _ in nil },
            rowID: .candidate(.endpoint(endpoint(1))),
            rows: map.gateways
        )
        #expect(choice.offer.local.map(\.endpoint) == [endpoint(5), endpoint(1)])
    }
}
