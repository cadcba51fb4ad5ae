import DNSSD
import TestSupport
import Testing

@Suite struct TXTRecordFuzzTests {
    private static let valid: [UInt8] = Array(
        "\u{9}fp=abc123\u{11}name=Home Gateway\u{6}bots=3\u{4}flag\u{6}empty=\u{5}ver=3\u{0}".utf8
    )

    @Test func anyBytesGiveARecordThatIsStable() {
        var random = SeededGenerator.forFuzzing("TXT")
        for round in 0..<TestCases.count(100_000) {
            let bytes = round & 1 == 0 ? random.bytes(upTo: 120) : random.mutate(Self.valid)
            checkDecoding(bytes)
        }
        // These records sometimes exceed every limit.
        for _ in 0..<20 { checkDecoding(random.bytes(upTo: 20_000)) }
    }

    private func checkDecoding(_ bytes: [UInt8]) {
        let (record, problems) = TXTRecord.decode(bytes)
        #expect(record.entries.count <= 64)
        #expect(problems.count <= 7)
        guard let encoded = try? record.encoded() else {
            Issue.record("A decoded record must be encodable: \(bytes)")
            return
        }
        let (again, none) = TXTRecord.decode(encoded)
        #expect(again == record)
        #expect(none.isEmpty)
        // A record without problems is encoded to the same bytes, apart from empty strings.
        if problems.isEmpty, record.entries.count > 0, !bytes.contains(0) { #expect(encoded == bytes) }
    }

    @Test func validRecordsComeBackAsTheyWere() throws {
        var random = SeededGenerator.forFuzzing("valid TXT")
        for _ in 0..<TestCases.count(2_000) {
            var record = TXTRecord()
            for _ in 0..<random.next() % 12 {
                let key = String(decoding: random.bytes(upTo: 9).map { 0x3E + $0 % 0x40 }, as: UTF8.self)
                guard !key.isEmpty else { continue }
                try record.set(random.next() & 3 == 0 ? nil : random.bytes(upTo: 60), forKey: key)
            }
            #expect(TXTRecord(decoding: try record.encoded()) == record)
            #expect(TXTRecord(strings: record.strings) == record)
        }
    }
}
