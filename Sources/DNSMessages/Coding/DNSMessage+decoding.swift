extension DNSMessage {
    /// Reads a message.
    ///
    /// Decoding terminates whatever the bytes are, and allocates no more than the returned message needs: at most 255
    /// bytes for a name, and at most one record for every eleven bytes. Bytes after the last record are ignored.
    ///
    /// - Parameter bytes: The whole packet.
    /// - Throws: When the bytes are malformed. One malformed record invalidates the whole message, since the same
    ///   sender made the rest of it.
    public init(decoding bytes: Span<UInt8>) throws(DNSMessageError) {
        var reader = MessageReader()
        let id = try reader.uint16(in: bytes)
        let flags = DNSFlags(rawValue: try reader.uint16(in: bytes))
        let questionCount = Int(try reader.uint16(in: bytes))
        let answerCount = Int(try reader.uint16(in: bytes))
        let authorityCount = Int(try reader.uint16(in: bytes))
        let additionalCount = Int(try reader.uint16(in: bytes))
        self.init(
            id: id,
            flags: flags,
            questions: try Self.questions(questionCount, from: &reader, in: bytes),
            answers: try Self.records(answerCount, from: &reader, in: bytes),
            authorities: try Self.records(authorityCount, from: &reader, in: bytes),
            additionals: try Self.records(additionalCount, from: &reader, in: bytes)
        )
    }

    /// Reads a message; see ``init(decoding:)-(Span<UInt8>)``.
    public init(decoding bytes: [UInt8]) throws(DNSMessageError) {
        try self.init(decoding: bytes.span)
    }

    private static func questions(
        _ count: Int,
        from reader: inout MessageReader,
        in bytes: Span<UInt8>
    ) throws(DNSMessageError) -> [DNSQuestion] {
        guard count > 0 else { return [] }
        var questions: [DNSQuestion] = []
        // The smallest question has a root name, type and class: nothing is reserved for a count that the bytes cannot
        // hold.
        questions.reserveCapacity(min(count, (bytes.count - reader.position) / 5))
        for _ in 0..<count { questions.append(try reader.question(in: bytes)) }
        return questions
    }

    private static func records(
        _ count: Int,
        from reader: inout MessageReader,
        in bytes: Span<UInt8>
    ) throws(DNSMessageError) -> [DNSRecord] {
        guard count > 0 else { return [] }
        var records: [DNSRecord] = []
        // The smallest record has a root name, type, class, TTL and length.
        records.reserveCapacity(min(count, (bytes.count - reader.position) / 11))
        for _ in 0..<count { records.append(try reader.record(in: bytes)) }
        return records
    }
}
