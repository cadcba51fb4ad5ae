import DNSSD
import Testing

@testable import Discovery

/// The question that the engine asks the other multicast DNS responders of this host, as a legacy query from a port of
/// its own.
@Suite struct OwnHostQuestionTests {
    private static let link = Link(
        interface: QuerierHarness.interface,
        prefixes: [Link.Prefix(address: .v4(IPv4Address(bits: 0x0A00_0001)), length: 24)]
    )

    private static func source(_ lastByte: UInt32, port: UInt16 = 5_353) -> Endpoint {
        Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0000 + lastByte)), port: port)
    }

    /// A service that another program of this host has only just announced is resolved at once. The program does not
    /// multicast its records again within a second, but answers this legacy query immediately, with all of them.
    @Test func justAnnouncedServiceIsFoundAtOnce() throws {
        var bench = ResponderBench()
        _ = try bench.publish("Kitchen")
        while bench.states.last != .published(name: "Kitchen") { bench.advance(by: .milliseconds(10)) }
        bench.sent = []
        var harness = QuerierHarness()
        try harness.browse("_openclaw._tcp")
        let question = OwnHostQuestion(id: 4_711)
        for packet in question.packets(harness.querier.unasked) {
            bench.receive(try DNSMessage(decoding: packet), port: 40_000)
        }
        try #require(bench.sent.count == 1, "the responder sends one unicast answer and no multicast")
        let answer = bench.sent[0].message.encoded().bytes
        let message = try #require(question.answer(in: answer, from: Self.source(1), on: Self.link))
        harness.receiveLegacy(message)
        #expect(harness.sighting("Kitchen")?.resolution == .resolved)
    }

    /// Records that are already known keep their TTL when a legacy answer repeats them with a TTL of ten seconds, so
    /// they are not asked for again because of it.
    @Test func legacyAnswerDoesNotShortenTTL() throws {
        var harness = QuerierHarness()
        try harness.browse("_openclaw._tcp")
        let ttls: [UInt32] = [4_500, 10]
        for ttl in ttls {
            let records = [
                try Responses.ptr("Kitchen", ttl: ttl), try Responses.srv("Kitchen", ttl: min(ttl, 120)),
                try Responses.txt("Kitchen", ttl: ttl), try Responses.a(ttl: min(ttl, 120)),
            ]
            let message = DNSMessage(flags: .authoritativeResponse, answers: records)
            if ttl == 10 { harness.receiveLegacy(message) } else { harness.receive(message) }
        }
        harness.advance(by: .seconds(12))
        let asked = Set(harness.takeSent().flatMap(\.questions))
        #expect(asked.isSubset(of: ["_openclaw._tcp.local PTR", "host.local AAAA"]), "\(asked)")
        #expect(harness.sighting("Kitchen")?.resolution == .resolved)
    }

    /// An answer is accepted only from port 5353 of this host and with the ID of the question, since anybody may send
    /// packets to the port that the question came from.
    @Test func onlyAnAnswerOfThisHostIsTaken() throws {
        let question = OwnHostQuestion(id: 7)
        let name = try Responses.name("_openclaw._tcp.local")
        func bytes(_ id: UInt16, _ flags: DNSFlags = .authoritativeResponse) -> [UInt8] {
            DNSMessage(id: id, flags: flags, questions: [DNSQuestion(name: name, type: .ptr)]).encoded().bytes
        }
        #expect(question.answer(in: bytes(7), from: Self.source(1), on: Self.link) != nil)
        #expect(question.answer(in: bytes(8), from: Self.source(1), on: Self.link) == nil)
        #expect(question.answer(in: bytes(7, DNSMessage().flags), from: Self.source(1), on: Self.link) == nil)
        #expect(question.answer(in: bytes(7), from: Self.source(2), on: Self.link) == nil)
        #expect(question.answer(in: bytes(7), from: Self.source(1, port: 40_000), on: Self.link) == nil)
        #expect(question.answer(in: [1, 2, 3], from: Self.source(1), on: Self.link) == nil)
    }
}
