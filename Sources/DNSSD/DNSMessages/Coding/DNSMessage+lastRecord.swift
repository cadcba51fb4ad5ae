extension DNSMessage {
    /// Returns the offset at which the last record of a packet begins: a signature covers all bytes before it, as they are
    /// on the wire (RFC 8945 §4.3.3).
    ///
    /// - Returns: `nil` if the packet has no additional records, or cannot be followed to its last one.
    package static func offsetOfLastRecord(in bytes: Span<UInt8>) -> Int? {
        var reader = MessageReader()
        guard (try? reader.uint32(in: bytes)) != nil, let questions = try? reader.uint16(in: bytes),
            let answers = try? reader.uint16(in: bytes), let authorities = try? reader.uint16(in: bytes),
            let additionals = try? reader.uint16(in: bytes), additionals > 0
        else { return nil }
        for _ in 0..<questions where !reader.skipQuestion(at: reader.position, in: bytes) { return nil }
        for _ in 0..<Int(answers) + Int(authorities) + Int(additionals) - 1
        where !reader.skipRecord(at: reader.position, in: bytes) { return nil }
        return reader.position
    }
}
