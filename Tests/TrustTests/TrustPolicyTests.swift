import DNSSD
import GatewayProtocol
import Testing

/// The decisions whether a token may be sent: for each kind of pairing, and each kind of peer.
@Suite struct TrustPolicyTests {
    private typealias Neighbour = NetworkObservation.Neighbour

    private static let leaf = LeafFingerprint(bytes: Array(repeating: 1, count: 32))
    private static let otherLeaf = LeafFingerprint(bytes: Array(repeating: 2, count: 32))
    private static let router: [UInt8] = [2, 0, 0, 0, 0, 1]
    private static let machine: [UInt8] = [2, 0, 0, 0, 0, 9]
    private static let other: [UInt8] = [2, 0, 0, 0, 0, 0xEE]

    private func address(_ text: String) throws -> IPAddress {
        try #require(IPAddress(text, interfaces: [Self.eth0, Self.eth1]))
    }

    private static let eth0 = NetworkInterface(index: 2, name: "eth0")
    private static let eth1 = NetworkInterface(index: 3, name: "eth1")

    private func endpoint(_ text: String, port: UInt16 = 3_000) throws -> Endpoint {
        Endpoint(address: try address(text), port: port)
    }

    private func home(gateway: [UInt8]? = machine, router: [UInt8] = router) throws -> HomeNetwork {
        HomeNetwork(prefix: try address("192.168.1.0"), prefixLength: 24, router: router, gateway: gateway)
    }

    private func network(
        _ prefix: String = "192.168.1.0",
        length: Int = 24,
        router: NetworkObservation.Neighbour = .at(router),
        gateway: NetworkObservation.Neighbour = .at(machine)
    ) throws -> NetworkObservation {
        NetworkObservation(prefix: try address(prefix), prefixLength: length, router: router, gateway: gateway)
    }

    private func plain(
        _ policy: TrustPolicy,
        at endpoint: Endpoint,
        in network: NetworkObservation?,
        shown: TrustAttempt.Shown = .plain
    ) throws -> TrustDecision {
        let known = [try self.endpoint("192.168.1.50")]
        return policy.decision(
            for: TrustAttempt(shown: shown, endpoint: endpoint, knownEndpoints: known, network: network)
        )
    }

    /// A host for which the system trusts a certificate counts before the certificate itself; without either, nothing is proved.
    @Test func aPeerShowsAHostOrALeaf() throws {
        let leaf = try #require(Self.leaf)
        for (shown, found) in [
            (TrustAttempt.Shown(leaf, certifiedFor: "a"), TrustAttempt.Shown.certified(host: "a", leaf: leaf)),
            (TrustAttempt.Shown(nil, certifiedFor: "a"), .certified(host: "a", leaf: nil)),
            (TrustAttempt.Shown(leaf, certifiedFor: nil), .leaf(leaf)),
            (TrustAttempt.Shown(nil, certifiedFor: nil), .plain),
        ] {
            #expect(shown == found)
        }
    }

    // MARK: With TLS

    @Test func thePinnedLeafIsTrustedAtAnyAddressAndNothingElseIs() throws {
        let leaf = try #require(Self.leaf)
        let otherLeaf = try #require(Self.otherLeaf)
        let policy = TrustPolicy.pinned(leaf)
        for text in ["192.168.1.50", "10.0.0.1", "203.0.113.5", "fe80::1%eth0", "127.0.0.1"] {
            func decision(_ shown: TrustAttempt.Shown) throws -> TrustDecision {
                policy.decision(for: TrustAttempt(shown: shown, endpoint: try endpoint(text)))
            }
            #expect(try decision(.leaf(leaf)) == .allowed)
            #expect(try decision(.certified(host: "a.example", leaf: leaf)) == .allowed)
            #expect(try decision(.leaf(otherLeaf)) == .changedLeaf(found: otherLeaf))
            #expect(try decision(.certified(host: "a.example", leaf: otherLeaf)) == .changedLeaf(found: otherLeaf))
            #expect(try decision(.certified(host: "a.example", leaf: nil)) == .refused(.notTLS))
        }
    }

    /// A pairing that was made with TLS is never trusted without TLS, even at a place where a pairing without TLS would
    /// be trusted.
    @Test(arguments: [true, false])
    func tlsPairingsAreNeverTrustedWithoutTLS(isPinned: Bool) throws {
        let policy: TrustPolicy = isPinned ? .pinned(try #require(Self.leaf)) : .certified(host: "bot.example")
        // The place is the one of `home()`.
        let decision = try plain(policy, at: endpoint("192.168.1.50"), in: network())
        #expect(decision == .refused(.notTLS))
    }

    /// A certified host is trusted by a certificate for its name, and by nothing else.
    @Test func aCertifiedHostIsKnownByItsNameAlone() throws {
        let leaf = try #require(Self.leaf)
        let policy = TrustPolicy.certified(host: "bot.example")
        func decision(_ shown: TrustAttempt.Shown) throws -> TrustDecision {
            policy.decision(for: TrustAttempt(shown: shown, endpoint: try endpoint("203.0.113.5", port: 443)))
        }
        #expect(try decision(.certified(host: "bot.example", leaf: leaf)) == .allowed)
        #expect(try decision(.certified(host: "BOT.example.", leaf: nil)) == .allowed)
        #expect(try decision(.certified(host: "evil.example", leaf: leaf)) == .refused(.notCertified))
        #expect(try decision(.certified(host: "", leaf: leaf)) == .refused(.notCertified))
        #expect(try decision(.leaf(leaf)) == .refused(.notCertified))
    }

    // MARK: Without TLS

    /// Trust in an address without TLS covers exactly this address and port, in exactly this network.
    @Test func sameAddressIsAddressPortAndNetwork() throws {
        let policy = TrustPolicy.sameAddress(try home())
        let same = try endpoint("192.168.1.50")
        #expect(try plain(policy, at: same, in: network()) == .allowed)
        #expect(try plain(policy, at: endpoint("::ffff:192.168.1.50"), in: network()) == .allowed)
        #expect(try plain(policy, at: endpoint("192.168.1.51"), in: network()) == .moved(.address))
        #expect(try plain(policy, at: endpoint("192.168.1.50", port: 3_001), in: network()) == .moved(.address))
        let cases: [(NetworkObservation?, MoveReason)] = [
            (nil, .unknownNetwork),
            (try network("192.168.0.0", length: 16), .prefix),
            (try network("192.168.1.0", length: 25), .prefix),
            (try network("10.0.0.0"), .prefix),
            (NetworkObservation.ownHost, .prefix),
            (try network(router: .at(Self.other)), .router),
            (try network(router: .none), .router),
            (try network(router: .unknown), .unknownNetwork),
            (try network(gateway: .at(Self.other)), .machine),
            (try network(gateway: .none), .machine),
            (try network(gateway: .unknown), .unknownNetwork),
        ]
        for (network, reason) in cases {
            #expect(try plain(policy, at: same, in: network) == .moved(reason))
        }
    }

    /// A network that nothing but its prefix identifies, such as a tunnel, counts as unknown even if the prefix is the
    /// same: the address at the end of another tunnel is somebody else's. This host is no such network.
    @Test func theAddressAtTheEndOfATunnelIsNoProof() throws {
        let address = try endpoint("192.168.1.50")
        let tunnel = try network(router: .none, gateway: .none)
        let home = try #require(tunnel.homeNetwork)
        #expect(!home.distinguishesAddresses)
        for policy in [TrustPolicy.sameAddress(home), .lan(home)] {
            #expect(try plain(policy, at: address, in: tunnel) == .moved(.unknownNetwork))
        }
        let own = try #require(NetworkObservation.ownHost.homeNetwork)
        #expect(own.distinguishesAddresses)
        #expect(try plain(.sameAddress(own), at: address, in: .ownHost) == .allowed)
        for home in [try self.home(gateway: nil), try self.home(router: [])] { #expect(home.distinguishesAddresses) }
    }

    @Test func aNetworkWithoutARouterIsAnotherThanOneWith() throws {
        let same = try endpoint("192.168.1.50")
        let policy = TrustPolicy.sameAddress(try home(router: []))
        #expect(try plain(policy, at: same, in: network(router: .none)) == .allowed)
        #expect(try plain(policy, at: same, in: network(router: .at(Self.router))) == .moved(.router))
        #expect(try plain(policy, at: same, in: network(router: .unknown)) == .moved(.unknownNetwork))
    }

    @Test func aRoutedGatewayHasNoHardwareAddress() throws {
        let same = try endpoint("192.168.1.50")
        let policy = TrustPolicy.sameAddress(try home(gateway: nil))
        #expect(try plain(policy, at: same, in: network(gateway: .none)) == .allowed)
        #expect(try plain(policy, at: same, in: network(gateway: .at(Self.machine))) == .moved(.machine))
        #expect(try plain(policy, at: same, in: network(gateway: .unknown)) == .moved(.unknownNetwork))
    }

    /// Trust in a local network covers every address and port in it, and no other network.
    @Test func anyLocalAddressWillDoWhereTheUserSaidSo() throws {
        let policy = TrustPolicy.lan(try home())
        for text in ["192.168.1.50", "192.168.1.77", "10.9.8.7", "fe80::7%eth0"] {
            // The machine at the address does not count: the user has consented to any machine of this network.
            for gateway in [Neighbour.at(Self.machine), .at(Self.other), .none, .unknown] {
                #expect(try plain(policy, at: endpoint(text), in: network(gateway: gateway)) == .allowed)
            }
        }
        let other = try endpoint("192.168.1.77", port: 9)
        #expect(try plain(policy, at: other, in: nil) == .moved(.unknownNetwork))
        #expect(try plain(policy, at: other, in: network("192.168.2.0")) == .moved(.prefix))
        #expect(try plain(policy, at: other, in: network(router: .at(Self.other))) == .moved(.router))
        #expect(try plain(policy, at: other, in: network(router: .unknown)) == .moved(.unknownNetwork))
    }

    /// Without a router a network cannot be recognized: only its prefix would be left, and every Wi-Fi has `fe80::/64`
    /// and 169.254.0.0/16.
    @Test func withoutARouterNoNetworkIsThisOne() throws {
        let places = [
            ("192.168.1.77", "192.168.1.0", 24), ("fe80::7%eth0", "fe80::", 64), ("169.254.3.4", "169.254.0.0", 16),
        ]
        for (text, prefix, length) in places {
            let home = HomeNetwork(prefix: try address(prefix), prefixLength: length, router: [], gateway: Self.machine)
            for gateway in [Neighbour.at(Self.machine), .at(Self.other), .none, .unknown] {
                let here = try network(prefix, length: length, router: .none, gateway: gateway)
                #expect(try plain(.lan(home), at: endpoint(text), in: here) == .moved(.unknownNetwork))
            }
        }
        let ownHost = try #require(NetworkObservation.ownHost.homeNetwork)
        #expect(try plain(.lan(ownHost), at: endpoint("127.0.0.1", port: 9), in: .ownHost) == .allowed)
    }

    /// Without TLS, nothing is sent to addresses outside of local networks.
    @Test(arguments: ["203.0.113.5", "8.8.8.8", "2001:db8::1", "169.254.169.254", "100.100.100.200", "172.32.0.1"])
    func inClearNothingLeavesLocalNetworks(text: String) throws {
        let known = [try endpoint(text)]
        for policy in [TrustPolicy.sameAddress(try home()), .lan(try home())] {
            let attempt = TrustAttempt(
                shown: .plain,
                endpoint: try endpoint(text),
                knownEndpoints: known,
                network: try network()
            )
            #expect(policy.decision(for: attempt) == .refused(.publicAddress))
        }
    }

    /// Without TLS, tokens may be sent to every kind of local address that the policy covers.
    @Test(arguments: ["127.0.0.1", "10.0.0.1", "172.16.9.9", "192.168.7.7", "169.254.1.2", "100.64.0.9", "fd00::1"])
    func inClearToEveryKindOfLocalAddress(text: String) throws {
        let attempt = TrustAttempt(
            shown: .plain,
            endpoint: try endpoint(text),
            knownEndpoints: [try endpoint(text)],
            network: try network()
        )
        #expect(TrustPolicy.sameAddress(try home()).decision(for: attempt) == .allowed)
    }

    /// A link-local address is the same in the same network, even if its interface has another index now.
    @Test func theInterfaceOfALinkLocalAddressMayChange() throws {
        let attempt = TrustAttempt(
            shown: .plain,
            endpoint: try endpoint("fe80::5%eth1"),
            knownEndpoints: [try endpoint("fe80::5%eth0")],
            network: try network()
        )
        #expect(TrustPolicy.sameAddress(try home()).decision(for: attempt) == .allowed)
    }

    /// A gateway that was trusted without TLS is still held to its address when it presents a certificate, because that
    /// certificate was never pinned.
    @Test func aLeafThatIsNotPinnedProvesNothing() throws {
        let policy = TrustPolicy.sameAddress(try home())
        let shown = TrustAttempt.Shown.leaf(try #require(Self.leaf))
        #expect(try plain(policy, at: endpoint("192.168.1.50"), in: network(), shown: shown) == .allowed)
        #expect(try plain(policy, at: endpoint("192.168.1.51"), in: network(), shown: shown) == .moved(.address))
    }

    /// A network that is completely known at pairing is allowed right afterwards; one that is not completely known is
    /// not stored as trust.
    @Test func whatIsObservedAtPairingIsAllowedAfterwards() throws {
        let same = try endpoint("192.168.1.50")
        for router in [Neighbour.none, .unknown, .at(Self.router)] {
            for gateway in [Neighbour.none, .unknown, .at(Self.machine)] {
                let network = try network(router: router, gateway: gateway)
                guard let home = network.homeNetwork else {
                    #expect(router == .unknown || gateway == .unknown)
                    continue
                }
                #expect(try plain(.sameAddress(home), at: same, in: network).isAllowed == home.distinguishesAddresses)
                #expect(try plain(.lan(home), at: same, in: network).isAllowed == home.isDistinguishable)
            }
        }
    }
}
