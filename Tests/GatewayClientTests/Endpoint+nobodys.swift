import DNSSD

extension Endpoint {
    /// A port of this host at which nothing listens: a port that was free a moment ago may be another process's by now.
    static let nobodys = Endpoint(address: .v4(IPv4Address(bits: 0x7F00_0001)), port: 1)
}
