internal import DNSSD
internal import Testing

@Suite("Records") struct RecordTests {
    @Test("encodes the NSEC bitmap of the example in RFC 4034 §4.3")
    func bitmapExample() throws {
        // alfa.example.com. NSEC host.example.com. ( A MX RRSIG NSEC TYPE1234 )
        let types = [1, 15, 46, 47, 1_234].map { DNSRecordType(rawValue: $0) }
        let data = NSECData(nextName: try DomainName(escaped: "host.example.com"), types: types.reversed())
        let tail = [UInt8](repeating: 0, count: 26)
        #expect(data.bitmaps == [0, 6, 0x40, 0x01, 0, 0, 0, 0x03, 4, 27] + tail + [0x20])
        #expect(data.types == types)
        #expect(data.contains(.nsec))
        #expect(data.contains(DNSRecordType(rawValue: 1_234)))
        #expect(!data.contains(DNSRecordType(rawValue: 1_235)))
        #expect(!data.contains(DNSRecordType(rawValue: 300)))
        #expect(!data.contains(.any))
        #expect(NSECData(nextName: .root, types: []).types.isEmpty)
    }

    @Test("stores the payload size and flags of an OPT record in its class and TTL")
    func edns() {
        let record = DNSRecord.opt(payloadSize: 0x9234, isDNSSECWanted: true)
        #expect(record.ednsPayloadSize == 0x9234)
        // No version and no upper bits of a response code: they are 0.
        #expect(record.ttl == 0x8000)
        #expect(DNSRecord(name: .root, ttl: 1, data: .a(1)).ednsPayloadSize == nil)
    }

    @Test("returns record data for comparison with uncompressed names")
    func uncompressed() throws {
        let host = try DomainName(escaped: "h.local")
        let data = DNSRecordData.srv(SRVData(priority: 1, weight: 2, port: 3, target: host))
        #expect(data.uncompressed == [0, 1, 0, 2, 0, 3] + host.wire)
        #expect(DNSRecordData.a(0x0102_0304).uncompressed == [1, 2, 3, 4])
    }

    @Test("encodes flags at the positions of RFC 1035 §4.1.1")
    func flags() {
        var flags = DNSFlags.query
        flags.isResponse = true
        flags.opcode = DNSOpcode(rawValue: 5)
        flags.responseCode = DNSResponseCode(rawValue: 5)
        #expect(flags.rawValue == 0xA805)
        flags.isTruncated = true
        #expect(flags.rawValue == 0xAA05)
        #expect(flags.opcode.rawValue == 5)
        #expect(flags.responseCode.rawValue == 5)
    }

    @Test("matches records to a question by name, type and class")
    func answers() throws {
        let name = try DomainName(escaped: "h.local")
        let record = DNSRecord(name: try DomainName(escaped: "H.LOCAL"), ttl: 1, data: .a(1))
        #expect(DNSQuestion(name: name, type: .a).isAnswered(by: record))
        #expect(DNSQuestion(name: name, type: .any, dnsClass: .any).isAnswered(by: record))
        #expect(!DNSQuestion(name: name, type: .aaaa).isAnswered(by: record))
        #expect(!DNSQuestion(name: .root, type: .a).isAnswered(by: record))
        #expect(!DNSQuestion(name: name, type: .a, dnsClass: .none).isAnswered(by: record))
    }
}
