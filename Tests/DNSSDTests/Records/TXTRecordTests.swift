import Testing

@testable import DNSSD

@Suite struct TXTRecordTests {
    /// A gateway's record: `fp=abc123`, `name=Home Gateway`, `bots=3`, `ver=3`.
    private let sample: [UInt8] = [
        0x09, 0x66, 0x70, 0x3D, 0x61, 0x62, 0x63, 0x31, 0x32, 0x33,
        0x11, 0x6E, 0x61, 0x6D, 0x65, 0x3D, 0x48, 0x6F, 0x6D, 0x65, 0x20, 0x47, 0x61, 0x74, 0x65, 0x77, 0x61, 0x79,
        0x06, 0x62, 0x6F, 0x74, 0x73, 0x3D, 0x33,
        0x05, 0x76, 0x65, 0x72, 0x3D, 0x33,
    ]

    private func rdata(_ strings: String...) -> [UInt8] {
        strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    }

    @Test func readsAndWritesTheSample() throws {
        let (record, problems) = TXTRecord.decode(sample)
        #expect(problems.isEmpty)
        #expect(record.entries.map(\.key) == ["fp", "name", "bots", "ver"])
        #expect(record.string(forKey: "name") == "Home Gateway")
        #expect(try record.encoded() == sample)
    }

    @Test func emptyRecordIsOneZeroByte() throws {
        #expect(try TXTRecord().encoded() == [0])
        #expect(TXTRecord(decoding: [0]) == TXTRecord())
        #expect(TXTRecord.decode([]).problems.isEmpty)
    }

    @Test func keysAreCaseInsensitive() throws {
        var record = try TXTRecord([("Name", "a")])
        #expect(record.string(forKey: "nAME") == "a")
        try record.set("b", forKey: "NAME")
        #expect(record.entries.count == 1)
        #expect(record.entries.first?.key == "NAME")
        record.removeValue(forKey: "name")
        #expect(record == TXTRecord())
    }

    @Test func firstOfARepeatedKeyWins() {
        let (record, problems) = TXTRecord.decode(rdata("fp=a", "FP=b", "fp"))
        #expect(record.string(forKey: "fp") == "a")
        #expect(problems == [.repeatedKeys(count: 2)])
    }

    @Test func absentEmptyAndValuelessAreThreeThings() throws {
        let record = TXTRecord(decoding: rdata("flag", "empty=", "equals=a=b"))
        #expect(record.value(forKey: "flag") == .noValue)
        #expect(record.value(forKey: "empty") == .bytes([]))
        #expect(record.value(forKey: "absent") == nil)
        #expect(record.string(forKey: "flag") == nil)
        #expect(record.string(forKey: "empty") == "")
        #expect(record.string(forKey: "equals") == "a=b")
        #expect(try record.encoded() == rdata("flag", "empty=", "equals=a=b"))
    }

    @Test func leavesOutWhatIsMalformedAndSaysSo() {
        let malformed: [UInt8] = [
            0, 4, 0x3D, 0x66, 0x6F, 0x6F, 3, 0x07, 0x3D, 0x61, 3, 0xC3, 0xB6, 0x3D, 1, 0x61, 9, 0x62,
        ]
        let (record, problems) = TXTRecord.decode(malformed)
        #expect(record.entries.map(\.key) == ["a"])
        #expect(problems == [.truncatedString, .missingKeys(count: 1), .invalidKeys(count: 2)])
        #expect(problems.allSatisfy { !$0.description.isEmpty })
    }

    @Test func readsNoMoreThan64Entries() {
        let (record, problems) = TXTRecord.decode((0..<70).flatMap { rdata("key\($0)=") })
        #expect(record.entries.count == 64)
        #expect(problems == [.tooManyEntries(leftOut: 6)])
    }

    @Test func readsNoMoreThan8900Bytes() throws {
        let long = [UInt8](repeating: 0x61, count: 250)
        let strings = (0..<60).map { Array("k\($0)=".utf8) + long }
        let whole = strings.flatMap { [UInt8($0.count)] + $0 }
        for (record, problems) in [TXTRecord.decode(whole), TXTRecord.decode(strings: strings)] {
            #expect(record.entries.count == 34)
            #expect(problems == [.recordTooLong])
            #expect(try record.encoded().count <= 8_900)
        }
    }

    @Test func valuesAreBytes() throws {
        var record = TXTRecord()
        try record.set([0xFF, 0x00, 0x3D], forKey: "raw")
        try record.set(nil, forKey: "flag")
        #expect(record.bytes(forKey: "raw") == [0xFF, 0x00, 0x3D])
        #expect(record.string(forKey: "raw") == nil)
        #expect(TXTRecord(decoding: try record.encoded()) == record)
        #expect(TXTRecord(strings: record.strings) == record)
    }

    @Test func equalityIsOfOrderAndSpelling() throws {
        let record = try TXTRecord([("a", "1"), ("b", "2")])
        #expect(try record != TXTRecord([("b", "2"), ("a", "1")]))
        #expect(try record != TXTRecord([("A", "1"), ("b", "2")]))
    }

    @Test(arguments: [
        ([("", "x")], ErrorCode<DNSSDError>.invalidKey),
        ([("a=b", "x")], .invalidKey),
        ([("a\n", "x")], .invalidKey),
        ([("ö", "x")], .invalidKey),
        ([("a", "x"), ("A", "y")], .repeatedKey),
        ([("a", String(repeating: "x", count: 254))], .stringTooLong),
        ((0..<65).map { ("key\($0)", "") }, .tooManyEntries),
    ])
    func refusesWhatCannotBeWritten(pairs: [(String, String)], code: ErrorCode<DNSSDError>) {
        let error = #expect(throws: DNSSDError.self) { try TXTRecord(pairs) }
        #expect(error?.code == code)
    }

    @Test func aStringOf255BytesFits() throws {
        let record = try TXTRecord([("a", String(repeating: "x", count: 253))])
        #expect(try record.encoded().count == 256)
    }

    @Test func refusesToCutALongRecord() throws {
        let record = try TXTRecord((0..<40).map { ("key\($0)", String(repeating: "x", count: 240)) })
        let error = #expect(throws: DNSSDError.self) { try record.encoded() }
        #expect(error?.code == .recordTooLong)
    }

    /// A flood of forged services brings as many records, which the cache keeps as bytes: those must not be kept twice. What is
    /// malformed is left out all the same.
    @Test func aRecordWithoutFaultsSharesTheBytesThatWereReceived() {
        let bytes = [4] + Array("fp=1".utf8) + [2] + Array("on".utf8)
        let record = TXTRecord(decoding: bytes)
        #expect(
            record.wire.withUnsafeBufferPointer(\.baseAddress) == bytes.withUnsafeBufferPointer(\.baseAddress)
        )
        #expect(record.string(forKey: "FP") == "1" && record.value(forKey: "on") == .noValue)
        for absent in ["f", "fp=1", "fp1", ""] { #expect(record.value(forKey: absent) == nil) }
        #expect(TXTRecord(decoding: bytes + [9, 0x61]) == record)
    }
}
