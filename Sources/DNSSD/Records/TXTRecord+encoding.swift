extension TXTRecord {
    /// Each entry as the bytes of one string, `key=value` or `key`, without a length byte.
    public var strings: [[UInt8]] {
        entries.map { entry in
            var bytes = Array(entry.key.utf8)
            if let value = entry.value {
                bytes.append(UInt8(ascii: "="))
                bytes += value
            }
            return bytes
        }
    }

    /// The RDATA of the record: each string after its length byte (RFC 1035 §3.3.14).
    ///
    /// The empty record is one zero byte, since a TXT record has at least one string (RFC 6763 §6.1).
    ///
    /// - Throws: ``DNSSDError`` `recordTooLong` past 8,900 bytes.
    public func encoded() throws(DNSSDError) -> [UInt8] {
        guard !entries.isEmpty else { return [0] }
        var bytes: [UInt8] = []
        for string in strings {
            // No entry can have more than 255 bytes: `set` and decoding ensure it.
            bytes.append(UInt8(truncatingIfNeeded: string.count))
            bytes += string
        }
        guard bytes.count <= Self.maximumLength else { throw .recordTooLong(length: bytes.count) }
        return bytes
    }
}
