internal import DNSSD
internal import DNSSamples
internal import Testing

@testable import Discovery

/// Answers of which one record cannot be read: what else is in them counts.
@Suite struct DamagedAnswerTests {
    @Test(arguments: try DamagedPacket.all())
    func theServiceIsFound(packet: DamagedPacket) throws {
        var harness = try OneShotHarness(links: [OneShotHarness.link(OneShotHarness.eth0, ["10.0.0.1"])])
        let id = try harness.id()
        let bytes = [UInt8(id >> 8), UInt8(id & 0xFF)] + packet.bytes.dropFirst(2)
        let source = IPAddress.v4(IPv4Address(bits: 0x0A00_0002))
        harness.query.receive(
            OneShotPacket(bytes: bytes, source: source, port: 5_353, interface: 2),
            on: OneShotHarness.path,
            now: harness.now
        )
        try harness.pass(.milliseconds(1))
        #expect(harness.sightings().map(\.instance.name) == ["Den"])
    }

    /// An answer that ends in the middle of a record was cut, and its sender may have more instances.
    @Test func aPacketThatEndsInARecordAsksForTheRest() throws {
        for isCut in [false, true] {
            var harness = try OneShotHarness()
            let id = try harness.id()
            _ = harness.takeSent()
            let question = DNSQuestion(name: try OneShotHarness.name("\(OneShotHarness.type).local"), type: .ptr)
            let records = try OneShotHarness.all("Den") + [try OneShotHarness.pointer("Attic")]
            let message = DNSMessage(id: id, flags: .authoritativeResponse, questions: [question], answers: records)
            let bytes = message.encoded().bytes.dropLast(isCut ? 3 : 0)
            let source = IPAddress.v4(IPv4Address(bits: 0x0A63_0002))
            harness.query.receive(
                OneShotPacket(bytes: Array(bytes), source: source, port: 5_353, interface: 2),
                on: OneShotHarness.path,
                now: harness.now
            )
            try harness.pass(.milliseconds(1))
            let asked = harness.questions()
            #expect(asked.contains("\(OneShotHarness.type).local PTR") == isCut, "\(asked)")
        }
    }
}
