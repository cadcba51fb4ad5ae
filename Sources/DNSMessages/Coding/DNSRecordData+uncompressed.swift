extension DNSRecordData {
    /// The RDATA with no name compressed: what two claims to one name are compared by (RFC 6762 §8.2).
    public var uncompressed: [UInt8] {
        var writer = MessageWriter(compression: .none, capacity: 64)
        writer.write(self)
        return writer.bytes
    }
}
