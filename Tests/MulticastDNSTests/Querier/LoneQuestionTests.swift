import DNSSD
import Testing

@testable import Discovery

/// Questions that are repeated in packets of their own, for responders that read only the first question of a packet,
/// or no packet with several.
@Suite struct LoneQuestionTests {
    private static let types = ["_openclaw._tcp", "_http._tcp", "_ssh._tcp", "_ipp._tcp"]

    private func link(seed: UInt64 = 1) throws -> QuerierHarness {
        var link = QuerierHarness(seed: seed)
        try link.browse("_openclaw._tcp", "_http._tcp", "_ssh._tcp", "_ipp._tcp")
        link.advance(by: .seconds(1))
        return link
    }

    /// The first question for all types shares a packet; a good second later each type is asked for alone, one after
    /// the other; and from then on they share a packet again.
    @Test func unansweredTypesAreAskedForAloneOnce() throws {
        var link = try link()
        let first = link.takeSent()
        #expect(first.map(\.questions.count) == [4])
        link.advance(by: .seconds(1.5))
        let second = link.takeSent()
        #expect(second.flatMap(\.questions).sorted() == Self.types.map { "\($0).local PTR" }.sorted())
        #expect(second.map(\.questions.count) == [1, 1, 1, 1])
        let start = try #require(first.first).time
        #expect(second.allSatisfy { $0.time - start >= .seconds(1) }, "the interval of RFC 6762 §5.2")
        let times = second.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(20) }, "they are spread")
        link.advance(by: .seconds(60))
        #expect(link.takeSent().map(\.questions.count) == [4, 4, 4, 4])
    }

    /// Where every type was answered, no packet is added.
    @Test func answeredTypesShareAPacket() throws {
        var link = try link()
        for type in Self.types {
            link.receive(
                Responses.response(
                    DNSRecord(
                        name: try Responses.name("\(type).local"),
                        ttl: 4_500,
                        data: .ptr(try Responses.name("Foo.\(type).local"))
                    )
                )
            )
            for record in [DNSRecordType.srv, .txt] {
                let name = try Responses.name("Foo.\(type).local")
                let data: DNSRecordData =
                    record == .srv
                    ? .srv(SRVData(port: 1, target: try Responses.name("host.local"))) : .txt([0])
                link.receive(Responses.response(DNSRecord(name: name, ttl: 4_500, data: data)))
            }
        }
        link.receive(Responses.response(try Responses.a(), try Responses.aaaa()))
        _ = link.takeSent()
        link.advance(by: .seconds(1.5))
        #expect(link.takeSent().map(\.questions.count) == [4])
    }

    /// Only the types that were not answered get packets of their own.
    @Test func onlyUnansweredTypesAreAskedForAlone() throws {
        var link = try link()
        link.receive(try Responses.whole("Foo"))
        link.receive(
            Responses.response(
                DNSRecord(
                    name: try Responses.name("_http._tcp.local"),
                    ttl: 0,
                    data: .ptr(try Responses.name("Bar._http._tcp.local"))
                )
            )
        )
        _ = link.takeSent()
        link.advance(by: .seconds(1.5))
        let sent = link.takeSent()
        #expect(sent.map(\.questions.count) == [1, 1, 1, 1])
        #expect(sent.filter { $0.questions == ["_openclaw._tcp.local PTR"] }.map(\.message.answers.count) == [1])
    }

    /// A question of another host in our place does not replace the packet of our own: it may have shared one.
    @Test func aSuppressedRepetitionComesLater() throws {
        var link = try link()
        _ = link.takeSent()
        let others = try Self.types.map { DNSQuestion(name: try Responses.name("\($0).local"), type: .ptr) }
        link.receive(DNSMessage(questions: others), from: "10.0.0.7")
        link.advance(by: .seconds(1.2))
        #expect(link.takeSent().isEmpty)
        link.advance(by: .seconds(3))
        #expect(link.takeSent().map(\.questions.count) == [1, 1, 1, 1])
    }

    /// The records of an instance are asked for together, and where that brings no answer, one by one.
    @Test func missingRecordsAreAskedForAloneOnce() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.advance(by: .milliseconds(200))
        link.receive(Responses.response(try Responses.ptr("Foo")))
        _ = link.takeSent()
        link.advance(by: .milliseconds(500))
        #expect(link.takeSent().map(\.questions.count) == [2])
        link.advance(by: .seconds(0.9))
        let sent = link.takeSent().filter { !$0.questions.contains("_openclaw._tcp.local PTR") }
        #expect(sent.map(\.questions) == [["Foo._openclaw._tcp.local SRV"], ["Foo._openclaw._tcp.local TXT"]])
    }

    /// Instances that somebody invents do not cause a packet for each of their records.
    @Test func manyMissingRecordsShareTheirPackets() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.advance(by: .milliseconds(200))
        for index in 0..<100 { link.receive(Responses.response(try Responses.ptr("Foo \(index)")), turning: false) }
        link.advance(by: .milliseconds(500))
        _ = link.takeSent()
        link.advance(by: .seconds(1.2))
        #expect(link.takeSent().count < 12)
    }
}
