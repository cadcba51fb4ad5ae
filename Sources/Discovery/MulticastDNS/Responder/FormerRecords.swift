internal import DNSSD

/// The records that we published until a moment ago. Our packets come back to us through the multicast loop, and those
/// with the old text or the old address must not be mistaken for another host's claim.
struct FormerRecords: Sendable {
    /// The time for which former records are stored, and the highest number of them.
    private static let time = Duration.seconds(5)
    private static let limit = 1_024

    private var records: [DNSRecord: ContinuousClock.Instant] = [:]

    mutating func insert(_ more: [DNSRecord], now: ContinuousClock.Instant) {
        records = records.filter { $0.value > now }
        for record in more where records.count < Self.limit { records[Self.content(of: record)] = now + Self.time }
    }

    /// Indicates whether we published a record with the same content a moment ago.
    func contains(_ record: DNSRecord, now: ContinuousClock.Instant) -> Bool {
        records[Self.content(of: record)].map { $0 > now } ?? false
    }

    private static func content(of record: DNSRecord) -> DNSRecord {
        DNSRecord(name: record.name, dnsClass: record.dnsClass, ttl: 0, data: record.data)
    }
}
