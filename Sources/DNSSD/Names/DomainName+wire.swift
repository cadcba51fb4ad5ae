extension DomainName {
    /// Reads a name from its uncompressed wire form (RFC 1035 §3.1), as it stands in RDATA that left its message.
    ///
    /// Bytes behind the name are left alone; the length of ``wire`` says where they begin.
    ///
    /// - Throws: `truncatedName`, `domainNameTooLong`, or `compressedName` for a length byte past 63.
    public init(wire bytes: some Collection<UInt8>) throws(DNSSDError) {
        // Longer than any name is no name either, and says so below.
        try self.init(wire: Array(bytes.prefix(Self.maximumWireLength + 1)))
    }

    /// For bytes of one type, which is faster than what is generic across modules.
    private init(wire bytes: [UInt8]) throws(DNSSDError) {
        var position = 0
        while true {
            guard position < bytes.count else {
                throw position >= Self.maximumWireLength ? .domainNameTooLong : .truncatedName
            }
            let length = Int(bytes[position])
            guard length <= Self.maximumLabelLength else { throw .compressedName }
            position += length + 1
            if length == 0 { break }
        }
        guard position <= Self.maximumWireLength else { throw .domainNameTooLong }
        self.init(checkedWire: position == bytes.count ? bytes : Array(bytes[..<position]))
    }
}
