extension DomainName {
    /// Reads a name from its uncompressed wire form (RFC 1035 §3.1), as it stands in RDATA that left its message.
    ///
    /// Bytes behind the name are left alone; ``wireLength`` says where they begin.
    ///
    /// - Throws: `truncatedName`, `domainNameTooLong`, or `compressedName` for a length byte past 63.
    public init(wire bytes: some Collection<UInt8>) throws(DNSSDError) {
        // Longer than any name is no name either, and says so below.
        try self.init(wire: Array(bytes.prefix(Self.maximumWireLength + 1)))
    }

    /// For bytes of one type, which is faster than what is generic across modules.
    private init(wire bytes: [UInt8]) throws(DNSSDError) {
        var labels: [[UInt8]] = []
        var rest = bytes[...]
        var length = 1
        while true {
            guard let count = rest.popFirst() else { throw .truncatedName }
            if count == 0 { break }
            guard count <= Self.maximumLabelLength else { throw .compressedName }
            length += Int(count) + 1
            guard length <= Self.maximumWireLength else { throw .domainNameTooLong }
            let label = rest.prefix(Int(count))
            guard label.count == count else { throw .truncatedName }
            labels.append(Array(label))
            rest = rest.dropFirst(Int(count))
        }
        try self.init(labels: labels)
    }

    /// The uncompressed wire form: each label behind its length, and the root's zero byte.
    public var wire: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(wireLength)
        for label in labels {
            bytes.append(UInt8(truncatingIfNeeded: label.count))
            bytes += label
        }
        bytes.append(0)
        return bytes
    }

    /// How many bytes ``wire`` has, 1–255.
    public var wireLength: Int { labels.reduce(1) { $0 + $1.count + 1 } }
}
