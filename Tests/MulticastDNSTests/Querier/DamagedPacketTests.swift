import DNSSD
import DNSSamples
import Testing

@testable import Discovery

/// Packets of which one record cannot be read: what else is in them counts, and that record does nothing.
@Suite struct DamagedPacketTests {
    private static let host = "den"

    /// Avahi's reflector damages the NSEC record in each announcement of python-zeroconf: whoever drops the packet
    /// never sees a gateway behind it appear.
    @Test(arguments: try DamagedPacket.all())
    func theServiceIsFound(packet: DamagedPacket) throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.receive(try DNSReceivedMessage(decoding: packet.bytes))
        let sighting = try #require(link.sighting("Den"))
        #expect(sighting.port == 3_000)
        #expect(sighting.addresses.map(\.description) == ["10.0.0.2"])
    }

    /// The damaged records have the cache-flush bit or a TTL of 0: they take away nothing that is known.
    @Test(arguments: try DamagedPacket.all(instance: "Attic", host: "attic"))
    func theDamagedRecordDoesNothing(packet: DamagedPacket) throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.receive(try Responses.whole("Attic", host: "attic"))
        link.receive(try Responses.whole("Loft", host: "loft"))
        link.advance(by: .seconds(3))
        _ = link.takeEvents()
        link.receive(try DNSReceivedMessage(decoding: packet.bytes))
        link.advance(by: .seconds(5))
        #expect(link.events.allSatisfy { if case .vanished = $0 { false } else { true } })
        let attic = try Responses.name("attic.local")
        #expect(link.querier.cache[RecordKey(attic, .a)].map(\.data) == [.a(0x0A00_0002)])
        let location = RecordKey(try Responses.name("Attic._openclaw._tcp.local"), .srv)
        #expect(link.querier.cache[location].count { _ in true } == 1)
        #expect(link.querier.hosts[attic]?.lacks == [])
    }

    /// From a query whose known answers cannot all be read, nothing is learned: what the other host does not know is
    /// not known.
    @Test func aQueryWithAnUnreadableKnownAnswerSuppressesNothing() throws {
        func questions(after query: DNSReceivedMessage) throws -> Int {
            var link = QuerierHarness()
            try link.browse("_openclaw._tcp")
            link.advance(by: .milliseconds(800))
            _ = link.takeSent()
            link.receive(query, from: "10.0.0.7")
            link.advance(by: .seconds(1))
            return link.takeSent().count
        }
        let query = try Responses.query("_openclaw._tcp.local", .ptr, known: [try Responses.ptr("Den")])
        var bytes = query.encoded(compression: .none).bytes
        let pointer = bytes.count - "3Den9_openclaw4_tcp5local0".utf8.count
        for index in pointer..<bytes.count { bytes[index] = 0xFF }
        let received = try DNSReceivedMessage(decoding: bytes)
        #expect(received.message.questions.count == 1)
        #expect(received.skipped.answers == 1)
        #expect(try questions(after: received) == 1)
        let whole = try Responses.query("_openclaw._tcp.local", .ptr)
        #expect(try questions(after: DNSReceivedMessage(whole)) == 0)
    }
}
