extension TXTRecord {
    /// Reads RDATA, leniently: what is malformed is left out. ``decode(_:)`` says what that was.
    public init(decoding rdata: some Collection<UInt8>) {
        self = Self.decode(rdata).record
    }

    /// Reads strings that are already apart, leniently. ``decode(strings:)`` says what was left out.
    public init(strings: some Sequence<[UInt8]>) {
        self = Self.decode(strings: strings).record
    }

    /// Reads RDATA and says what was left out (RFC 6763 §6.4).
    ///
    /// At most 8,900 bytes and 64 entries are read. Of a repeated key the first counts. Whatever the bytes are, there
    /// is a result, and it can be encoded again.
    public static func decode(
        _ rdata: some Collection<UInt8>
    ) -> (record: TXTRecord, problems: [TXTRecordProblem]) {
        let bytes = rdata.prefix(maximumLength)
        return decode(Array(bytes), isCut: bytes.endIndex != rdata.endIndex)
    }

    /// For bytes of one type: thousands of records come at once, and what is generic across modules costs four times as much.
    private static func decode(
        _ bytes: [UInt8],
        isCut: Bool
    ) -> (record: TXTRecord, problems: [TXTRecordProblem]) {
        var decoder = TXTRecordDecoder()
        var rest = bytes[...]
        while let length = rest.popFirst() {
            let string = rest.prefix(Int(length))
            guard string.count == length else {
                // Where we cut it ourselves, that is told instead.
                if !isCut { decoder.noteTruncation() }
                break
            }
            decoder.take(string)
            rest = rest.dropFirst(Int(length))
        }
        if isCut { decoder.noteCut() }
        return decoder.finish()
    }

    /// Reads strings that are already apart, and says what was left out, by the rules of ``decode(_:)``.
    public static func decode(
        strings: some Sequence<[UInt8]>
    ) -> (record: TXTRecord, problems: [TXTRecordProblem]) {
        var decoder = TXTRecordDecoder()
        var length = 0
        for string in strings {
            length += string.count + 1
            guard length <= maximumLength else {
                decoder.noteCut()
                break
            }
            decoder.take(string[...])
        }
        return decoder.finish()
    }
}
