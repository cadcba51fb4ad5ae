import DNSSD
import HostSystem
import TestSupport
import Testing

@testable import Discovery

/// The question for the addresses of a host on the link.
@Suite struct HostQuestionTests {
    private static let link = Link(
        interface: Samples.interface,
        prefixes: [Link.Prefix(address: .v4(IPv4Address(bits: 0x0A00_0001)), length: 24)]
    )

    private static func source(_ bits: UInt32 = 0x0A00_0002, port: UInt16 = 5_353) -> SocketAddress {
        SocketAddress(.v4(IPv4Address(bits: bits)), port: port)
    }

    private static func answer(_ records: [DNSRecord], id: UInt16 = 7) -> [UInt8] {
        DNSMessage(id: id, flags: .authoritativeResponse, answers: records).encoded().bytes
    }

    @Test func eachFamilyIsAskedFor() throws {
        let question = HostQuestion(id: 7, name: "host.local")
        let asked = try question.packets.flatMap { try DNSMessage(decoding: $0).questions }
        #expect(asked.map(\.type) == [.a, .aaaa])
        #expect(asked.allSatisfy { $0.name == "host.local" })
    }

    /// Link-local addresses get the interface as their scope, since they are of no use without it; duplicates are left
    /// out.
    @Test func addressesOfALinkHaveItsScope() throws {
        var question = HostQuestion(id: 7, name: "HOST.local")
        let records = [try Samples.a(), try Samples.aaaa(), try Samples.a()]
        question.receive(Self.answer(records), from: Self.source(), on: Self.link)
        #expect(
            question.addresses == [
                .v4(IPv4Address(bits: 0x0A00_0002)),
                .v6(IPv6Address(bits: 0xFE80 << 112 | 2, scope: Samples.interface)),
            ]
        )
    }

    /// Addresses are taken only from answers with the ID of the question, from port 5353 of a host on the link, about
    /// the requested host, and not from goodbyes.
    @Test func onlyAnAnswerToItIsTaken() throws {
        var question = HostQuestion(id: 7, name: "host.local")
        let record = [try Samples.a()]
        question.receive(Self.answer(record, id: 8), from: Self.source(), on: Self.link)
        question.receive(Self.answer(record), from: Self.source(port: 40_000), on: Self.link)
        question.receive(Self.answer(record), from: Self.source(0xC000_0201), on: Self.link)
        question.receive(Self.answer([try Samples.a("another")]), from: Self.source(), on: Self.link)
        question.receive(Self.answer([try Samples.a(ttl: 0)]), from: Self.source(), on: Self.link)
        question.receive([1, 2, 3], from: Self.source(), on: Self.link)
        #expect(question.addresses.isEmpty)
    }

    /// The number of addresses is limited, however many an answer contains.
    @Test func addressesAreLimited() throws {
        var question = HostQuestion(id: 7, name: "host.local")
        let records = try (0..<100).map { try Samples.a("host", 0x0A00_0100 + $0) }
        question.receive(Self.answer(records), from: Self.source(), on: Self.link)
        #expect(question.addresses.count == HostQuestion.mostAddresses)
    }
}
