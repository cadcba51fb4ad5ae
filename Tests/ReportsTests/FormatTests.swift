import DNSSD
import GatewaySamples
import TestSupport
import Testing

@testable import Reports

/// Output in the formats of other programs.
@Suite struct FormatTests {
    private static func service(_ name: String, txt: [String]) throws -> DiscoveredService {
        try Fixture.service(name: name, txt: txt.map { Array($0.utf8) })
    }

    @Test func avahi() throws {
        var service = try Self.service("Bob's é.1", txt: ["fp=a\"b", "x=\\\u{1}", "flag"])
        let link = NetworkInterface(index: 2, name: "eth0")
        service.record(
            Sighting(
                instance: service.instance,
                path: ServicePath(interface: link, family: .ipv6),
                source: .avahi,
                resolution: .resolved,
                host: "h2.local",
                port: 3_000,
                addresses: [.v6(IPv6Address(bits: 0xFE80 << 112 | 1, scope: link))],
                txt: service.txt
            )
        )
        let start = #"eth0;IPv4;Bob\039s\032\195\169\.1;_openclaw._tcp;local"#
        let start6 = start.replacing("IPv4", with: "IPv6")
        let txt = #""flag" "x=\\\001" "fp=a\"b""#
        #expect(
            String(decoding: AvahiLines.bytes([service]), as: UTF8.self) == """
                +;\(start)
                +;\(start6)
                =;\(start);h2.local;10.0.0.2;3000;\(txt)
                =;\(start6);h2.local;fe80::1;3000;\(txt)

                """
        )
    }

    /// Host names are escaped exactly as `avahi-browse -rpt` of Avahi 0.8 does. Some backends report host names as
    /// UTF-8.
    @Test(arguments: [
        ("büro-pc.local", #"b\195\188ro-pc.local"#), (#"b\195\188ro-pc.local"#, #"b\195\188ro-pc.local"#),
        (#"ev;il\032host.local"#, #"ev\059il\032host.local"#), ("東京.local", #"\230\157\177\228\186\172.local"#),
        ("🤖.local", #"\240\159\164\150.local"#), (#"a\.b\\c.d.local"#, #"a\.b\\c.d.local"#),
        (#"h\027\127.local"#, #"h\027\127.local"#), ("UPPER.sub.local", "UPPER.sub.local"),
        // A text that is no host name cannot forge a column.
        (#"a..b;\999"#, #"a\.\.b\059\\999"#),
    ])
    func avahiEscapesHosts(host: String, text: String) throws {
        #expect(AvahiLines.host(host) == text)
    }

    @Test func avahiEscapesTXT() throws {
        let txt: [[UInt8]] = [
            Array("y=\u{0}\u{1}\u{1F}\u{20}\u{7E}\u{7F}".utf8), Array("k=é".utf8), [0x6B, 0x32, 0x3D, 0xFF, 0x80],
        ]
        let text = String(decoding: AvahiLines.bytes([try Fixture.service(txt: txt)]), as: UTF8.self)
        #expect(text.contains(#";"k2=\255\128" "k=\195\169" "y=\000\001\031 ~"# + "\u{7F}\"\n"), "\(text)")
    }

    @Test func openClaw() throws {
        let txt = [
            "role=gateway", "transport=gateway", "gatewayPort=18789", "lanHost=studio.local", "displayName=Studio",
            "gatewayTls=1", "gatewayTlsSha256=AB:CD",
        ]
        let service = try Self.service("Studio (OpenClaw)", txt: txt)
        let bare = try Self.service("bare", txt: [])
        let text = OpenClawReport.line([service, bare], timeout: .seconds(2))
        #expect(
            text.contains(
                """
                {"displayName":"Studio","domain":"local.","gatewayPort":18789,"gatewayTls":true,\
                "gatewayTlsFingerprintSha256":"AB:CD","host":"h2.local","instanceName":"Studio (OpenClaw)",\
                "lanHost":"studio.local","port":3000,"role":"gateway","transport":"gateway","txt":{
                """
            ),
            "\(text)"
        )
        #expect(text.contains(#""wsUrl":"wss://h2.local:3000""#))
        #expect(
            text.contains(
                """
                {"displayName":"bare","domain":"local.","host":"h2.local","instanceName":"bare","port":3000,\
                "wsUrl":"ws://h2.local:3000"}
                """
            ),
            "unknown fields are left out"
        )
        #expect(text.hasSuffix(#""count":2,"domains":["local."],"timeoutMs":2000}"# + "\n"))
    }
}
