import DNSSD
import Foundation
import TestSupport
import Testing

@testable import Commands

/// The formats of other programs.
@Suite struct FormatTests {
    private static func service(_ name: String, txt: [String]) throws -> Service {
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

    @Test func avahiKeepsBytesThatAreNoText() throws {
        let bytes = AvahiLines.bytes([try Fixture.service(txt: [[0x6B, 0x3D, 0xFF]])])
        #expect(bytes.contains(0xFF))
    }

    @Test func openClaw() throws {
        let txt = [
            "role=gateway", "transport=gateway", "gatewayPort=18789", "lanHost=studio.local", "displayName=Studio",
            "gatewayTls=1", "gatewayTlsSha256=AB:CD",
        ]
        let service = try Self.service("Studio (OpenClaw)", txt: txt)
        let bare = try Self.service("bare", txt: [])
        let output = OpenClawOutput([service, bare], timeout: TimeLimit(seconds: 2))
        let text = try JSONText.line(output)
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
            "what is not known is left out"
        )
        #expect(text.hasSuffix(#""count":2,"domains":["local."],"timeoutMs":2000}"# + "\n"))
    }
}
