import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// What is printed instead of being published: others read it as it is.
@Suite struct ZoneTextTests {
    private let service = ZoneService(
        name: "Kitchen \u{1F99E}",
        types: [ServiceType.sample],
        port: 3_000,
        txt: TXTRecord(),
        host: "studio.local",
        addresses: ["10.1.2.3", "fe80::1"].compactMap { IPAddress($0) }
    )

    /// A user sees what gets known to whom before it does, and the update is the very one that would be sent.
    @Test func updatesAreTextForNsupdate() throws {
        let configuration = ZoneConfiguration(
            domain: "kitchen.example.org",
            signer: TransactionSigner(name: "site1") { _ in [] },
            server: DNSServerAddress("192.0.2.53")?.endpoint,
            owner: "aaaaaaaa",
            isPointed: true
        )
        let text = try [service].updateText(for: configuration, at: 1_800_000_000)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines[0] == "; Whoever may ask the servers of kitchen.example.org gets to know:")
        #expect(lines[1] == ";   “Kitchen \u{1F99E}”, port 3000, at 10.1.2.3")
        #expect(lines.contains("; Whoever browses example.org is led there."))
        #expect(lines.contains("server 192.0.2.53 53"))
        let instance = "Kitchen\\032\\240\\159\\166\\158._sample._tcp.kitchen.example.org."
        #expect(lines.contains("prereq nxdomain \(instance)"))
        #expect(lines.contains("update add \(instance) 60 SRV 0 0 3000 studio-aaaaaaaa.hosts.kitchen.example.org."))
        #expect(lines.contains("update add lb._dns-sd._udp.example.org. 60 PTR kitchen.example.org."))
        #expect(lines.count { $0 == "send" } == 2)
        #expect(!text.contains("fe80"))
    }

    /// All of a site is in the text, and the pointer to it once.
    @Test func theUpdatesOfASiteAreOneText() throws {
        let configuration = ZoneConfiguration(
            domain: "kitchen.example.org",
            signer: TransactionSigner(name: "site1") { _ in [] },
            owner: "aaaaaaaa",
            isPointed: true
        )
        let services = (0..<300).map { number in
            var other = service
            (other.name, other.host) = ("Gateway \(number)", "h\(number).local")
            return other
        }
        let lines = try services.updateText(for: configuration, at: 1_800_000_000).split(separator: "\n")
        #expect(lines.count { $0.hasPrefix(";   “Gateway ") } == 300)
        #expect(lines.count { $0.contains(" SRV ") } == 300)
        #expect(lines.count { $0.contains(" lb._dns-sd._udp.example.org. ") } == 1)
        #expect(lines.last == "send")
        #expect(try [ZoneService]().updateText(for: configuration, at: 1).split(separator: "\n").count == 2)
    }

    @Test func aZoneFileIsComplete() throws {
        let text = try service.zoneText("kitchen.example.org", serial: 7)
        #expect(
            text.hasPrefix("kitchen.example.org. 60 IN SOA ns.kitchen.example.org. hostmaster.kitchen.example.org. 7 ")
        )
        #expect(text.contains("\nkitchen.example.org. 60 IN NS ns.kitchen.example.org.\n"))
        #expect(text.contains("\nns.kitchen.example.org. 60 IN A 10.1.2.3\n"))
        #expect(text.contains("\nstudio.hosts.kitchen.example.org. 60 IN A 10.1.2.3\n"))
        #expect(!text.contains("_lease"))
    }
}

extension ServiceType {
    fileprivate static var sample: ServiceType { ServiceType(checkedName: "sample", transport: .tcp) }
}
