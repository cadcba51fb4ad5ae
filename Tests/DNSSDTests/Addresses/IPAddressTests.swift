import DNSSD
import Testing

@Suite struct IPAddressTests {
    private let eth0 = NetworkInterface(index: 2, name: "eth0")
    private let wlan0 = NetworkInterface(index: 3, name: "wlan0")

    @Test(arguments: [
        ("10.0.0.1", "10.0.0.1"),
        ("255.255.255.255", "255.255.255.255"),
        ("::", "::"),
        ("::1", "::1"),
        ("1::", "1::"),
        ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("2001:0db8::0001", "2001:db8::1"),
        ("2001:db8:0:0:0:0:2:1", "2001:db8::2:1"),
        ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.1"),
        ("::ffff:c000:201", "::ffff:192.0.2.1"),
        ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
        ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
        ("fe80::1", "fe80::1"),
        ("ff02::fb", "ff02::fb"),
    ])
    func readsAndWritesAsTheRFCsSay(text: String, expected: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == expected)
        #expect(IPAddress(address.description) == address)
    }

    @Test(arguments: [
        "", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "127.0.0.01", "1.2.3", "1.2.3.4.", ".1.2.3.4", "1.2.3.256",
        "1.2.3.-4", "1.2.3.+4", " 1.2.3.4", "1.2.3.４", "1..2.3", "9999.1.1.1",
        ":", ":::", "1:::2", "1::2::3", ":1", "1:", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4::5:6:7:8",
        "12345::", "g::", "::1.2.3", "1.2.3.4::", "::1.2.3.4:5", "[::1]", "::1/64", "fe80::1%eth0", "fe80::1%",
        "1:2:3:4:5:6:7:1.2.3.4", "１::",
    ])
    func refusesWhatOnlyLenientParsersTake(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func linkLocalAddressesKeepTheirScope() throws {
        let address = try #require(IPAddress("fe80::1%eth0", interfaces: [wlan0, eth0]))
        #expect(address.scope == eth0)
        #expect(address.description == "fe80::1%eth0")
        #expect(IPAddress("fe80::1%3", interfaces: [wlan0, eth0])?.scope == wlan0)
        #expect(IPAddress("fe80::1%eth9", interfaces: [wlan0, eth0]) == nil)
        #expect(IPAddress("2001:db8::1%eth0", interfaces: [eth0]) == nil)
    }

    @Test func globalAddressesHaveNoScope() throws {
        let bytes: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [1]
        #expect(IPv6Address(bytes: bytes, scope: eth0) == IPv6Address(bytes: bytes, scope: wlan0))
        #expect(IPv6Address(bytes: bytes)?.bytes == bytes)
    }

    @Test func bytesMustBeAsManyAsTheFamilyHas() {
        #expect(IPv4Address(bytes: [1, 2, 3, 4])?.bytes == [1, 2, 3, 4])
        #expect(IPv4Address(bytes: [1, 2, 3]) == nil)
        #expect(IPv4Address(bytes: [1, 2, 3, 4, 5]) == nil)
        #expect(IPv6Address(bytes: [1, 2, 3, 4]) == nil)
    }

    @Test(arguments: ["127.0.0.1", "127.255.0.1", "::1", "::ffff:127.0.0.1"])
    func loopbackIsSeenInEveryDisguise(text: String) throws {
        #expect(try #require(IPAddress(text)).isLoopback)
    }

    @Test func classesFollowTheRegistries() throws {
        #expect(try #require(IPAddress("169.254.169.254")).isLinkLocal)
        #expect(try #require(IPAddress("fe80::1")).isLinkLocal)
        #expect(try #require(IPAddress("febf::1")).isLinkLocal)
        #expect(try !#require(IPAddress("fec0::1")).isLinkLocal)
        #expect(try #require(IPAddress("0.0.0.0")).isUnspecified)
        #expect(try #require(IPAddress("::")).isUnspecified)
        #expect(try #require(IPAddress("224.0.0.251")).isMulticast)
        #expect(try #require(IPAddress("ff02::fb")).isMulticast)
        #expect(try !#require(IPAddress("10.0.0.1")).isLoopback)
    }

    @Test func theOneToConnectToComesFirst() throws {
        let wanted = [
            "10.0.0.1", "192.168.1.2", "2001:db8::1", "fd00::1", "169.254.1.1", "fe80::1", "127.0.0.1", "::1",
            "0.0.0.0",
        ]
        let addresses = try wanted.map { try #require(IPAddress($0)) }
        #expect(addresses.reversed().sorted().map(\.description) == wanted)
    }

    @Test func scopesAreOrderedToo() throws {
        let text = "fe80::1"
        let addresses = [
            try #require(IPAddress(text)),
            try #require(IPAddress("\(text)%eth0", interfaces: [eth0])),
            try #require(IPAddress("\(text)%wlan0", interfaces: [wlan0])),
        ]
        #expect(addresses.reversed().sorted() == addresses)
        #expect(Set(addresses).count == 3)
    }

    @Test func endpointsPutIPv6InBrackets() throws {
        let scoped = try #require(IPAddress("fe80::1%eth0", interfaces: [eth0]))
        #expect(Endpoint(address: scoped, port: 3000).description == "[fe80::1%eth0]:3000")
        let plain = try #require(IPAddress("10.0.0.1"))
        #expect(Endpoint(address: plain, port: 3000).description == "10.0.0.1:3000")
        #expect(Endpoint(address: plain, port: 2) < Endpoint(address: plain, port: 10))
    }
}
