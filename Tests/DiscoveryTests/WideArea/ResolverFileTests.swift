import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// Protects which servers are asked: those of the system as its own resolver reads them, or those that the user names.
@Suite struct ResolverFileTests {
    private static let eth0 = NetworkInterface(index: 2, name: "eth0")

    @Test func theFileIsReadAsTheSystemReadsIt() {
        let file = ResolverFile(
            """
            # a comment
            ; another
            nameserver 127.0.0.53
            nameserver fe80::1%eth0
            nameserver fe80::1%eth9
            nameserver 127.0.0.53
            nameserver nonsense
            domain former.example
            search lan.example. tail1234.ts.net
            options edns0 trust-ad
            nameserver 10.0.0.1
            nameserver 10.0.0.2
            """,
            interfaces: [Self.eth0]
        )
        #expect(file.servers.map(\.description) == ["127.0.0.53:53", "[fe80::1%eth0]:53", "10.0.0.1:53"])
        #expect(file.searchDomains == ["lan.example", "tail1234.ts.net"])
    }

    /// resolv.conf(5): without a server, this host itself is asked.
    @Test func withoutAServerThisHostIsAsked() {
        #expect(ResolverFile("search .\n").servers.map(\.description) == ["127.0.0.1:53"])
        #expect(ResolverFile("search .\n").searchDomains.isEmpty)
    }

    @Test(arguments: [
        ("10.0.0.1", "10.0.0.1:53"), ("10.0.0.1:5300", "10.0.0.1:5300"), ("fd00::53", "[fd00::53]:53"),
        ("[fd00::53]", "[fd00::53]:53"), ("[fd00::53]:5300", "[fd00::53]:5300"),
    ])
    func aServerIsNamedByItsAddress(text: String, endpoint: String) {
        #expect(DNSServerAddress(text)?.description == endpoint)
    }

    @Test(arguments: [
        "", "dns.example", "10.0.0.1:", "10.0.0.1:0", "10.0.0.1:65536", "[fd00::53", "[fd00::53]x", "224.0.0.251",
        "0.0.0.0",
        "127.1", ":53",
    ])
    func nothingElseIsAServer(text: String) { #expect(DNSServerAddress(text) == nil) }

    /// Whatever a server sends, reading it ends, and what is found belongs to the question.
    @Test func damagedAnswersAreHarmless() throws {
        let question = ZoneQuestion(name: "_openclaw._tcp.zone.example", type: .ptr)
        var message = DNSMessage(id: 7, flags: DNSFlags(rawValue: 0x8400))
        message.questions = [DNSQuestion(name: question.name, type: .ptr)]
        message.answers = ZoneDrive.instance("a")
        message.authorities = [ZoneDrive.soa(minimum: 5)]
        let bytes = message.encoded().bytes
        var random = SeededGenerator(seed: 11)
        for _ in 0..<5_000 {
            var damaged = bytes
            for _ in 0...random.draw(4) { damaged[random.draw(bytes.count)] = UInt8(truncatingIfNeeded: random.next()) }
            guard let received = try? DNSReceivedMessage(decoding: damaged) else { continue }
            let answer = ZoneAnswer(received.message, to: question, usedEDNS: true)
            #expect(answer.lifetime >= .seconds(1) && answer.lifetime <= .seconds(86_400))
            if case .records(let records) = answer.finding { #expect(records.allSatisfy { $0.type == .ptr }) }
        }
    }
}
