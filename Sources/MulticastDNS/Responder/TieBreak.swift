internal import DNSMessages

/// The decision which of two responders gets a name that both probe for at the same time (RFC 6762 §8.2, §8.2.1).
enum TieBreak {
    /// Compares our claim with another's: negative when ours is lost, positive when it is won, zero when both say the
    /// same and there is nothing to fight about.
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

    /// Class without the cache-flush bit, type and uncompressed RDATA: what is compared, bytewise, in this order.
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
