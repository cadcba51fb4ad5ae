import DNSSD
import Testing

/// Records and messages as other hosts on the link send them.
enum Samples {
    static func name(_ text: String) throws -> DomainName { try DomainName(escaped: text) }

    static func srv(
        _ instance: String = "Kitchen._openclaw._tcp.local",
        port: UInt16,
        host: String = "alpha.local",
        ttl: UInt32 = 120
    ) throws -> DNSRecord {
        let data = SRVData(port: port, target: try name(host))
        return DNSRecord(name: try name(instance), isCacheFlush: true, ttl: ttl, data: .srv(data))
    }

    static func txt(
        _ text: String,
        of instance: String = "Kitchen._openclaw._tcp.local",
        ttl: UInt32 = 4_500
    ) throws -> DNSRecord {
        let bytes = [UInt8(text.utf8.count)] + text.utf8
        return DNSRecord(name: try name(instance), isCacheFlush: true, ttl: ttl, data: .txt(bytes))
    }

    static func ptr(_ owner: String, _ target: String, ttl: UInt32 = 4_500) throws -> DNSRecord {
        DNSRecord(name: try name(owner), ttl: ttl, data: .ptr(try name(target)))
    }

    static func a(_ host: String, _ bits: UInt32, ttl: UInt32 = 120) throws -> DNSRecord {
        DNSRecord(name: try name(host), isCacheFlush: true, ttl: ttl, data: .a(bits))
    }

    static func aaaa(_ host: String, _ bits: UInt128, ttl: UInt32 = 120) throws -> DNSRecord {
        DNSRecord(name: try name(host), isCacheFlush: true, ttl: ttl, data: .aaaa(bits))
    }

    static func response(_ answers: DNSRecord...) -> DNSMessage {
        DNSMessage(flags: .authoritativeResponse, answers: answers)
    }

    static func probe(_ claimed: DNSRecord...) -> DNSMessage { probe(claimed) }

    static func probe(_ claimed: [DNSRecord]) -> DNSMessage {
        var seen: Set<DomainName> = []
        let names = claimed.map(\.name).filter { seen.insert($0).inserted }
        var records = claimed
        for index in records.indices { records[index].isCacheFlush = false }
        return DNSMessage(questions: names.map { DNSQuestion(name: $0, type: .any) }, authorities: records)
    }
}
