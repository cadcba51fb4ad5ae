extension TXTRecord {
    /// Reads RDATA leniently: malformed parts are left out. ``decode(_:)`` reports them.
    public init(decoding rdata: some Collection<UInt8>) {
        self = Self.decode(rdata).record
    }

    /// Reads RDATA that its owner keeps as well: the record shares it, unless something is left out.
    package init(decoding rdata: [UInt8]) {
        self.init(decoding: rdata[...])
        if wire == rdata { wire = rdata }
    }

    /// Reads separate strings leniently. ``decode(strings:)`` reports what was left out.
    public init(strings: some Sequence<[UInt8]>) {
        self = Self.decode(strings: strings).record
    }

    /// Reads RDATA and reports what was left out (RFC 6763 §6.4).
    ///
    /// At most 8,900 bytes and 64 entries are read. Only the first occurrence of a repeated key counts. Every sequence
    /// of bytes gives a result, which can be encoded again.
    package static func decode(
        _ rdata: some Collection<UInt8>
    ) -> (record: TXTRecord, problems: [TXTRecordProblem]) {
        let bytes = rdata.prefix(maximumLength)
        return decode(Array(bytes), isCut: bytes.endIndex != rdata.endIndex)
    }

    /// Decodes an array. Thousands of records can come at once, and code that is generic across modules is four times
    /// slower.
    private static func decode(
        _ bytes: [UInt8],
        isCut: Bool
    ) -> (record: TXTRecord, problems: [TXTRecordProblem]) {
        var decoder = TXTRecordDecoder()
        var rest = bytes[...]
        while let length = rest.popFirst() {
            let string = rest.prefix(Int(length))
            guard string.count == length else {
                // If the record was cut above, that is reported instead.
                if !isCut { decoder.recordTruncatedString() }
                break
            }
            decoder.take(string)
            rest = rest.dropFirst(Int(length))
        }
        if isCut { decoder.recordOverlongRecord() }
        return decoder.finish()
    }

    /// Reads separate strings and reports what was left out, by the rules of ``decode(_:)``.
    package static func decode(
        strings: some Sequence<[UInt8]>
    ) -> (record: TXTRecord, problems: [TXTRecordProblem]) {
        var decoder = TXTRecordDecoder()
        var length = 0
        for string in strings {
            length += string.count + 1
            guard length <= maximumLength else {
                decoder.recordOverlongRecord()
                break
            }
            decoder.take(string[...])
        }
        return decoder.finish()
    }
}
