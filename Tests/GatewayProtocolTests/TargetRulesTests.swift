import DNSSD
import GatewayProtocol
import Testing

@Suite struct TargetRulesTests {
    private static let eth0 = NetworkInterface(index: 2, name: "eth0")

    private func refusal(
        _ address: String,
        port: UInt16 = 3_000,
        _ origin: TargetRules.Origin = .network,
        onLink: [TargetRules.Prefix] = []
    ) throws -> TargetRefusal? {
        let address = try #require(IPAddress(address, interfaces: [Self.eth0]))
        return TargetRules(origin: origin, onLink: onLink).refusal(of: Endpoint(address: address, port: port))
    }

    @Test(arguments: [
        "10.0.0.1", "172.16.0.1", "172.31.255.254", "192.168.1.50", "169.254.7.7", "100.64.0.1", "100.127.255.254",
        "fd12::1", "fc00::1", "fe80::1%eth0", "::ffff:192.168.1.1",
    ])
    func localTargetsAreAllowed(address: String) throws {
        #expect(try refusal(address) == nil)
        #expect(try refusal(address, port: 0) == .port)
    }

    /// Addresses outside of local networks, and special ones, are refused with their reason, even if another address
    /// embeds them.
    @Test(
        arguments: [
            ("127.0.0.1", .loopback), ("127.8.9.1", .loopback), ("::1", .loopback), ("::ffff:127.0.0.1", .loopback),
            ("0.0.0.0", .unspecified), ("0.1.2.3", .unspecified), ("::", .unspecified),
            ("::ffff:0.0.0.0", .unspecified),
            ("224.0.0.251", .multicast), ("ff02::fb%eth0", .multicast), ("255.255.255.255", .broadcast),
            ("240.0.0.1", .broadcast), ("169.254.169.254", .metadata), ("::ffff:169.254.169.254", .metadata),
            ("fd00:ec2::254", .metadata), ("100.100.100.200", .metadata), ("fe80::1", .missingScope),
            ("64:ff9b::7f00:1", .loopback), ("64:ff9b::a9fe:a9fe", .metadata), ("64:ff9b::c0a8:101", .translated),
            ("2002:7f00:1::", .loopback), ("2002:c0a8:101::1", .translated), ("::127.0.0.1", .loopback),
            ("8.8.8.8", .notLocal), ("172.32.0.1", .notLocal), ("100.128.0.1", .notLocal), ("192.169.0.1", .notLocal),
            ("2001:db8::1", .notLocal),
        ] as [(String, TargetRefusal)]
    )
    func otherTargetsAreRefused(address: String, reason: TargetRefusal) throws {
        #expect(try refusal(address) == reason)
    }

    /// A zone leads to global addresses only where the user has named it, and never to this host, a link, or a metadata service.
    @Test(arguments: [TargetRules.Origin.namedZone, .networkZone])
    func aZoneLeadsToNoLink(origin: TargetRules.Origin) throws {
        for address in ["10.0.0.1", "100.64.0.1", "fd12::1"] { #expect(try refusal(address, origin) == nil) }
        let isNamed = origin == .namedZone
        #expect(try refusal("8.8.8.8", origin) == (isNamed ? nil : .notLocal))
        #expect(try refusal("2001:db8::1", origin) == (isNamed ? nil : .notLocal))
        let never: [(String, TargetRefusal)] = [
            ("169.254.7.7", .linkLocal), ("fe80::1%eth0", .linkLocal), ("fe80::1", .missingScope),
            ("127.0.0.1", .loopback),
            ("::1", .loopback), ("::ffff:127.0.0.1", .loopback), ("169.254.169.254", .metadata),
            ("fd00:ec2::254", .metadata), ("224.0.0.251", .multicast), ("0.0.0.0", .unspecified),
            ("64:ff9b::7f00:1", .loopback),
        ]
        for (address, reason) in never { #expect(try refusal(address, origin) == reason) }
        #expect(try refusal("10.0.0.1", port: 0, origin) == .port)
    }

    /// Addresses in the prefixes of this host's links are allowed even if they are public.
    @Test func onLinkIsAllowedWhateverItsNumber() throws {
        let networks = [
            TargetRules.Prefix(address: try #require(IPAddress("203.0.113.7")), length: 24),
            TargetRules.Prefix(address: try #require(IPAddress("2001:db8:1::7")), length: 64),
        ]
        #expect(try refusal("203.0.113.99", onLink: networks) == nil)
        #expect(try refusal("203.0.114.99", onLink: networks) == .notLocal)
        #expect(try refusal("203.0.113.255", onLink: networks) == .broadcast)
        #expect(try refusal("2001:db8:1::99", onLink: networks) == nil)
        #expect(try refusal("2001:db8:2::99", onLink: networks) == .notLocal)
    }

    /// Loopback addresses are allowed for targets of this host and of the user, public ones only for those of the user,
    /// and dangerous ones for nobody.
    @Test func loopbackIsForThisHostAndForTheUser() throws {
        #expect(try refusal("127.0.0.1", .thisHost) == nil)
        #expect(try refusal("::1", .user) == nil)
        #expect(try refusal("8.8.8.8", .user) == nil)
        #expect(try refusal("8.8.8.8", .thisHost) == .notLocal)
        #expect(try refusal("169.254.169.254", .user) == .metadata)
        #expect(try refusal("169.254.169.254", .thisHost) == .metadata)
        #expect(try refusal("0.0.0.0", .user) == .unspecified)
        // However they are written.
        #expect(try refusal("64:ff9b::a9fe:a9fe", .user) == .metadata)
        #expect(try refusal("2002:a9fe:a9fe::1", .user) == .metadata)
        #expect(try refusal("::ffff:169.254.169.254", .user) == .metadata)
        #expect(try refusal("64:ff9b::808:808", .user) == nil)
    }
}
