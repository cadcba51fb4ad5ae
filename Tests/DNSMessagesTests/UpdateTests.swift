internal import DNSSD
internal import Testing

/// Updates as RFC 2136 has them, and the text of records as other programs read it.
@Suite("Updates") struct UpdateTests {
    private func name(_ text: String) throws -> DomainName { try DomainName(escaped: text) }

    /// A server tells prerequisites and deletions apart by class and type alone.
    @Test("encodes prerequisites and deletions with the classes of RFC 2136 §2.4 and §2.5")
    func classes() throws {
        let record = DNSRecord(name: try name("a.example"), ttl: 60, data: .ptr(try name("b.example")))
        var message = DNSMessage(flags: .update, questions: [DNSQuestion(name: try name("example"), type: .soa)])
        message.answers = [.unused(record.name), record.asPrerequisite]
        message.authorities = [.deletion(of: record.name), .deletion(of: record.name, .srv), record.asDeletion, record]
        let decoded = try DNSMessage(decoding: message.encoded().bytes)
        #expect(decoded == message)
        #expect(decoded.flags.opcode == .update)
        let fields = (decoded.answers + decoded.authorities).map { "\($0.dnsClass) \($0.type) \($0.ttl)" }
        #expect(fields == ["NONE ANY 0", "IN PTR 0", "ANY ANY 0", "ANY SRV 0", "NONE PTR 0", "IN PTR 60"])
    }

    /// A signature covers the bytes before the last record: a wrong offset makes every answer a forgery.
    @Test("finds the last record of a packet, and none in one that is cut")
    func lastRecord() throws {
        let host = try name("h.example")
        let message = DNSMessage(
            questions: [DNSQuestion(name: host, type: .a)],
            answers: [DNSRecord(name: host, ttl: 1, data: .a(1))],
            additionals: [DNSRecord(name: host, ttl: 1, data: .ptr(host)), DNSRecord(name: host, ttl: 1, data: .a(2))]
        )
        let bytes = message.encoded().bytes
        // A pointer, type, class, TTL, length and four bytes.
        #expect(DNSMessage.offsetOfLastRecord(in: bytes.span) == bytes.count - 16)
        #expect(DNSMessage.offsetOfLastRecord(in: Array(bytes.dropLast(30)).span) == nil)
        #expect(DNSMessage.offsetOfLastRecord(in: DNSMessage().encoded().bytes.span) == nil)
        #expect(DNSMessage.offsetOfLastRecord(in: [UInt8](repeating: 0xFF, count: 40).span) == nil)
    }

    /// A name from the network must not become another line of a zone file, or a command of `nsupdate`.
    @Test("writes records as zone files have them, with every other byte escaped")
    func zoneText() throws {
        let instance = try name("_x._tcp.example").prepending("A b;\"é\n".utf8)
        #expect(instance.zoneText == "A\\032b\\059\\034\\195\\169\\010._x._tcp.example.")
        #expect(DomainName.root.zoneText == ".")
        let text = DNSRecord(name: try name("a"), ttl: 60, data: .txt([3, 0x61, 0x3D, 0x22, 0, 2, 0x3B, 0x0A]))
        #expect(text.zoneText == "a. 60 IN TXT \"a=\\034\" \"\" \"\\059\\010\"")
        let srv = DNSRecordData.srv(SRVData(port: 3_000, target: try name("h.example")))
        #expect(srv.zoneText == "0 0 3000 h.example.")
        #expect(DNSRecordData.a(0x0A01_0203).zoneText == "10.1.2.3")
        #expect(DNSRecordData.other(DNSRecordType(rawValue: 65_280), [1, 0xAB]).zoneText == "\\# 2 01ab")
    }

    @Test("names response codes as servers' logs do")
    func responseCodes() {
        #expect(DNSResponseCode.refused.description == "REFUSED")
        #expect(DNSResponseCode.notInZone.description == "NOTZONE")
        #expect(DNSResponseCode(rawValue: 15).description == "RCODE15")
    }
}
