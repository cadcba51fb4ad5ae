internal import DNSSD

/// The tie-break that decides which of two responders gets a name that both probe for at the same time (RFC 6762 §8.2,
/// §8.2.1).
enum TieBreak {
    /// Compares our claim with another's: negative when ours loses, positive when it wins, zero when both are the same
    /// and there is no conflict.
    static func compare(_ ours: [DNSRecord], _ theirs: [DNSRecord]) -> Int {
        let (ours, theirs) = (sorted(ours), sorted(theirs))
        for (left, right) in zip(ours, theirs) {
            let order = compare(left, right)
            if order != 0 { return order }
        }
        return ours.count - theirs.count
    }

    private static func sorted(_ records: [DNSRecord]) -> [[UInt8]] {
        records.map(key).sorted { compare($0, $1) < 0 }
    }

    /// Returns the bytes that are compared, in this order: the class without the cache-flush bit, the type and the
    /// uncompressed RDATA.
    private static func key(_ record: DNSRecord) -> [UInt8] {
        let numbers = [record.dnsClass.rawValue, record.type.rawValue]
        return numbers.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            + record.data.uncompressed
    }

    private static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        for (one, other) in zip(left, right) where one != other { return Int(one) - Int(other) }
        return left.count - right.count
    }
}
