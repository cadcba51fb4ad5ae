internal import DNSMessages

/// What we said a moment ago and say no longer. Packets of ours come back to us through the multicast loop, and those
/// with the old text or the old address must not pass for another's claim.
struct FormerRecords: Sendable {
    /// How long they are kept, and how many.
    private static let time = Duration.seconds(5)
    private static let limit = 1_024

    private var records: [DNSRecord: ContinuousClock.Instant] = [:]

    mutating func insert(_ more: [DNSRecord], now: ContinuousClock.Instant) {
        records = records.filter { $0.value > now }
        for record in more where records.count < Self.limit { records[Self.content(of: record)] = now + Self.time }
    }

    /// Whether we said the same a moment ago.
    func contains(_ record: DNSRecord, now: ContinuousClock.Instant) -> Bool {
        records[Self.content(of: record)].map { $0 > now } ?? false
    }

    private static func content(of record: DNSRecord) -> DNSRecord {
        DNSRecord(name: record.name, dnsClass: record.dnsClass, ttl: 0, data: record.data)
    }
}
