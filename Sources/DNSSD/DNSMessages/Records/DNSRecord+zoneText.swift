/// Records as zone files, `nsupdate` and `dig` write them (RFC 1035 §5.1).
extension DNSRecord {
    /// The record as a line of a zone file; of a type that is not known here, as RFC 3597 §5 writes it.
    package var zoneText: String { "\(name.zoneText) \(ttl) \(dnsClass) \(type) \(data.zoneText)" }
}

extension DNSRecordData {
    /// The data as in a zone file.
    package var zoneText: String {
        switch self {
        case .a(let bits): IPv4Address(bits: bits).description
        case .aaaa(let bits): IPv6Address(bits: bits).description
        case .cname(let name), .ns(let name), .ptr(let name): name.zoneText
        case .soa(let soa):
            "\(soa.primary.zoneText) \(soa.mailbox.zoneText) \(soa.serial) \(soa.refresh) \(soa.retry) \(soa.expire) "
                + "\(soa.minimum)"
        case .srv(let srv): "\(srv.priority) \(srv.weight) \(srv.port) \(srv.target.zoneText)"
        case .txt(let bytes):
            TXTStrings(bytes).map { "\"\(DomainName.zoneText($0, plain: Self.isPlain))\"" }.joined(separator: " ")
        case .nsec, .opt, .tsig, .other: "\\# \(uncompressed.count) \(uncompressed.hexadecimal)"
        }
    }

    /// Indicates whether a byte stands for itself between quotation marks. To `nsupdate`, a semicolon there begins a comment.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && !"\"\\;".utf8.contains(byte)
    }
}

extension DomainName {
    /// The name as in a zone file, with the dot at its end. Bytes that have a meaning in some places there are `\DDD`.
    package var zoneText: String {
        isRoot ? "." : labels.map { Self.zoneText($0, plain: Self.isPlain) + "." }.joined()
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    fileprivate static func zoneText(_ bytes: some Sequence<UInt8>, plain isPlain: (UInt8) -> Bool) -> String {
        bytes.reduce(into: "") { text, byte in
            if isPlain(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "\\" + (byte < 10 ? "00" : byte < 100 ? "0" : "") + "\(byte)"
            }
        }
    }
}
