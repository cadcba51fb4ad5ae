internal import DNSSD

/// The host and port that an SRV record (RFC 2782) names. Priority and weight are skipped, as RFC 6763 §5 expects one
/// record per instance.
struct ServiceLocation: Hashable, Sendable {
    /// The target host.
    let host: DomainName

    /// The port.
    let port: UInt16

    init(host: DomainName, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads the data of an SRV record, its name uncompressed; `nil` when it is malformed.
    init?(data: [UInt8]) {
        guard data.count > 6, let host = try? DomainName(wire: data[6...]) else { return nil }
        self.host = host
        self.port = UInt16(data[4]) << 8 | UInt16(data[5])
    }
}
