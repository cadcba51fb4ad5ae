extension TXTRecord {
    /// Each entry as the bytes of one string, `key=value` or `key`, without a length byte.
    public var strings: [[UInt8]] { TXTStrings(wire).map { Array($0) } }

    /// The RDATA of the record: each string after its length byte (RFC 1035 §3.3.14).
    ///
    /// The empty record is one zero byte, since a TXT record has at least one string (RFC 6763 §6.1).
    ///
    /// - Throws: ``DNSSDError`` `recordTooLong` past 8,900 bytes.
    public func encoded() throws(DNSSDError) -> [UInt8] {
        guard wire.count <= Self.maximumLength else { throw .recordTooLong(length: wire.count) }
        return wire.isEmpty ? [0] : wire
    }
}
