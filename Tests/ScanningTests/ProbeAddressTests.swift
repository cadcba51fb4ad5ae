import DNSSD
import GatewayClient
import Testing

@testable import Scanning

@Suite struct ProbeAddressTests {
    /// An address is parsed into host, port, resource and transports; the scheme decides the transports and the default
    /// port.
    @Test(
        arguments: [
            ("192.168.1.50:3000", "192.168.1.50", 3_000, "/", .plainFirst),
            ("studio.local:18789", "studio.local", 18_789, "/", .plainFirst),
            ("[fe80::1%eth0]:3000", "fe80::1%eth0", 3_000, "/", .plainFirst),
            ("10.0.0.1:18800/ws", "10.0.0.1", 18_800, "/ws", .plainFirst),
            ("ws://10.0.0.1", "10.0.0.1", 80, "/", .plainOnly),
            ("wss://bot.example", "bot.example", 443, "/", .tlsOnly),
            ("WSS://[::1]:8443/a/b?c=d#e", "::1", 8_443, "/a/b?c=d", .tlsOnly),
            ("http://10.0.0.1:3000?x", "10.0.0.1", 3_000, "/?x", .plainOnly),
        ] as [(String, String, UInt16, String, ProbeTransports)]
    )
    func isRead(text: String, host: String, port: UInt16, resource: String, transports: ProbeTransports) throws {
        let address = try ProbeAddress(text)
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.resource == resource)
        #expect(address.transports == transports)
    }

    /// The address of a host can be given with its name, as rows show a place: no resolver is asked then, and the front is
    /// asked by that name.
    @Test(arguments: ["kitchen.example=10.0.0.1:443/bot/", "kitchen.example=[fe80::1]:443"])
    func anAddressCanHaveAName(text: String) throws {
        let address = try ProbeAddress(text)
        #expect(address.hostName == "kitchen.example")
        let place = address.endpoint(at: try #require(IPAddress(address.host)))
        #expect(place.description == text)
        #expect(try ProbeAddress("wss://kitchen.example=10.0.0.1").description == "kitchen.example=10.0.0.1:443")
        #expect(try ProbeAddress("Kitchen.Example.:443").endpoint(at: place.address).serverName == place.serverName)
        #expect(try ProbeAddress("10.0.0.1:443").endpoint(at: place.address).serverName == nil)
    }

    /// A host without a port is one that `probe` takes for a host, too; everything else is an address with its port.
    @Test(arguments: [
        ("192.168.1.2", "192.168.1.2"), ("studio.local", "studio.local"), ("[fe80::1%eth0]", "fe80::1%eth0"),
    ])
    func aHostNeedsNoPort(text: String, host: String) throws {
        let address = try ProbeAddress(orHost: text)
        #expect(address.host == host && !address.hasPort && address.description == host)
        #expect(address.places.map(\.port) == [3_000, 18_789, 18_790, 9_099, 18_800])
        #expect(address.places.allSatisfy { $0.hasPort && $0.host == host })
        #expect(try ProbeAddress(orHost: "studio.local:3000") == ProbeAddress("studio.local:3000"))
        #expect(try ProbeAddress(orHost: "wss://studio.local").port == 443)
        #expect(throws: ProbeAddressProblem.self) { try ProbeAddress(orHost: "nonsense") }
    }

    /// Text that is no address is refused: without a port or with a wrong one, with credentials, spaces or control
    /// characters, or with another scheme.
    @Test(arguments: [
        "", "host", "host:", ":3000", "host:0", "host:65536", "host:+1", "host:1:2", "fe80::1:3000", "[::1]",
        "[::1]x:1",
        "[::1:3000", "ftp://host:1", "ws://user:secret@host:1", "ws://host:1/a b", "ws://host:1/a\r\nX: y", "a b:1",
        "wss://", "caf\u{E9}:1",
        "a=b:1", "=10.0.0.1:1", "a=:1", "10.0.0.2=10.0.0.1:1", "a=10.0.0.1:1=2", "a==10.0.0.1:1",
    ])
    func isRefused(text: String) {
        #expect(throws: ProbeAddressProblem.self) { try ProbeAddress(text) }
    }
}
