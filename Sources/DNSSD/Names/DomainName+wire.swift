extension DomainName {
    /// Reads a name in its uncompressed wire form (RFC 1035 §3.1), as found in RDATA outside its message.
    ///
    /// Bytes after the name are ignored; they begin where ``wire`` ends.
    ///
    /// - Throws: `truncatedName`, `domainNameTooLong`, or `compressedName` for a length byte past 63.
    public init(wire bytes: some Collection<UInt8>) throws(DNSSDError) {
        // Anything longer than the longest name is rejected below.
        try self.init(wire: Array(bytes.prefix(Self.maximumWireLength + 1)))
    }

    /// Reads an array, which is faster than code that is generic across modules.
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
