import DNSSD

/// Records as other hosts on the link send them.
enum Samples {
    static let interface = NetworkInterface(index: 2, name: "eth0")

    static func srv(
        _ instance: String = "Kitchen._openclaw._tcp.local",
        port: UInt16,
        host: String = "alpha.local",
        ttl: UInt32 = 120
    ) throws -> DNSRecord {
        let data = SRVData(port: port, target: try DomainName(escaped: host))
        return DNSRecord(name: try DomainName(escaped: instance), isCacheFlush: true, ttl: ttl, data: .srv(data))
    }

    static func a(
        _ host: String = "host",
        _ bits: UInt32 = 0x0A00_0002,
        ttl: UInt32 = 120
    ) throws -> DNSRecord {
        DNSRecord(name: try DomainName(escaped: "\(host).local"), isCacheFlush: true, ttl: ttl, data: .a(bits))
    }

    static func aaaa(_ host: String = "host", _ bits: UInt128 = 0xFE80 << 112 | 2) throws -> DNSRecord {
        DNSRecord(name: try DomainName(escaped: "\(host).local"), isCacheFlush: true, ttl: 120, data: .aaaa(bits))
    }
}
