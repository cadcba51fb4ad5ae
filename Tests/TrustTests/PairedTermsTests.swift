import DNSSD
import GatewayProtocol
import Testing

/// The rules on a paired gateway: who it is, and which places are its own.
@Suite struct PairedTermsTests {
    private static let own = GatewayFingerprint("own")
    private static let other = GatewayFingerprint("other")
    private static let leaf = LeafFingerprint(bytes: Array(repeating: 1, count: 32))

    private func place(_ text: String = "10.0.0.1", port: UInt16 = 443, _ resource: String = "/") throws -> Endpoint {
        Endpoint(address: try #require(IPAddress(text)), port: port, resource: resource)
    }

    private func home() throws -> HomeNetwork {
        HomeNetwork(
            prefix: try #require(IPAddress("10.0.0.0")),
            prefixLength: 24,
            router: [2, 0, 0, 0, 0, 1],
            gateway: nil
        )
    }

    /// Each way to trust a gateway.
    private func policies() throws -> [TrustPolicy] {
        let node = try #require(TailnetNode("nodekey:" + String(repeating: "a1", count: 32)))
        let tunnel = NetworkTunnel(name: "wg0", kind: .wireguard, address: try #require(IPAddress("10.8.0.2")))
        return [
            .pinned(try #require(Self.leaf)), .certified(host: "gw.example"), .sameAddress(try home()),
            .lan(try home()), .tailnet(node), .tunnel(tunnel),
        ]
    }

    private func terms(
        _ policy: TrustPolicy,
        _ dialect: GatewayDialect = .optaplus,
        _ fingerprint: GatewayFingerprint? = own,
        at endpoints: [Endpoint]? = nil
    ) throws -> PairedTerms {
        PairedTerms(policy, dialect, fingerprint: fingerprint, endpoints: try endpoints ?? [place()])
    }

    /// A peer has to tell the fingerprint of the pairing where its dialect has a question for it, whatever else it proves.
    @Test(arguments: [
        (GatewayDialect.optaplus, own, own, true), (.optaplus, own, other, false), (.optaplus, own, nil, false),
        (.optaplus, nil, other, true), (.openClaw, own, other, true), (.openClaw, own, nil, true),
    ])
    func aPeerTellsTheFingerprint(
        dialect: GatewayDialect,
        paired: GatewayFingerprint?,
        told: GatewayFingerprint?,
        isAllowed: Bool
    ) throws {
        for policy in try policies() {
            let decision = try terms(policy, dialect, paired).decision(told: told)
            #expect(decision == (isAllowed ? .allowed : .moved(.gateway)))
        }
    }

    /// Behind one certificate, the fingerprint tells whose a place is or, where none is told, the port and path.
    @Test func aPlaceIsTheGatewaysOwn() throws {
        let pinned = TrustPolicy.pinned(try #require(Self.leaf))
        let (same, neighbour) = (try place("10.0.0.9"), try place("10.0.0.9", port: 8_443))
        let telling = try terms(pinned)
        #expect(telling.isPlace(neighbour, telling: Self.own) && !telling.isPlace(same, telling: Self.other))
        for dialect in [GatewayDialect.optaplus, .openClaw] {
            let untold = try terms(pinned, dialect, nil)
            #expect(untold.isPlace(same, telling: nil) && !untold.isPlace(neighbour, telling: nil))
        }
    }

    /// Only a pairing that trusts a whole network has a place for good, which stays first wherever the gateway answers.
    @Test func thePlaceStaysFirst() throws {
        let (home, away, later) = (try place(), try place("10.0.0.9"), try place("10.0.0.8"))
        for policy in try policies() {
            let isLAN = if case .lan = policy { true } else { false }
            let terms = try terms(policy, at: [home, later, away])
            #expect(terms.place == (isLAN ? home : nil))
            #expect(terms.isElsewhere(away) == isLAN && !terms.isElsewhere(home))
            #expect(terms.endpoints(verifiedAt: away) == (isLAN ? [home, away, later] : [away, home, later]))
            #expect(terms.endpoints(verifiedAt: home) == [home, later, away])
        }
    }

    /// A session at an address to which the trust has been narrowed meanwhile makes no other one a place of the pairing. The
    /// number of an interface is no part of it.
    @Test func aNarrowerTrustTakesNoOtherPlace() throws {
        func scoped(_ index: UInt32) throws -> Endpoint {
            let eth0 = NetworkInterface(index: index, name: "eth0")
            return Endpoint(address: try #require(IPAddress("fe80::1%eth0", interfaces: [eth0])), port: 443)
        }
        for policy in try policies() {
            let terms = try terms(policy, at: [place(), scoped(2)])
            let isAnywhere =
                switch policy {
                case .pinned, .certified, .lan: true
                case .sameAddress, .tailnet, .tunnel: false
                }
            #expect(try terms.mayHaveVerified(place()) && terms.mayHaveVerified(scoped(3)))
            #expect(try terms.mayHaveVerified(place("10.0.0.9")) == isAnywhere)
            #expect(try terms.mayHaveVerified(place(port: 444)) == isAnywhere)
        }
    }
}
