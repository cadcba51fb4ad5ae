package import DNSSD

/// The limit of failed attempts to authenticate: ten within a minute from one address, with one kind of credential,
/// lock it out for five minutes. Attempts from this host are not counted.
package struct RateLimit: Hashable, Sendable {
    /// A kind of credential; each has a count of its own.
    package enum Kind: Hashable, Sendable {
        case sharedSecret
        case deviceToken
        case bootstrapToken
    }

    /// The number of failures that lock an address out.
    package static let failures = 10

    /// The time within which failures are counted, in milliseconds.
    package static let window = 60_000

    /// The time of a lock-out, in milliseconds.
    package static let lockout = 300_000

    /// The maximum number of records, one for each address and kind of credential.
    private static let limit = 1_024

    private struct Key: Hashable {
        let address: IPAddress
        let kind: Kind
    }

    private struct Record: Hashable {
        var failures: [Int] = []
        var lockedUntil = Int.min

        /// The time until which the record matters: its last failure, or the end of its lock-out.
        var last: Int { max(failures.last ?? .min, lockedUntil) }
    }

    private var records: [Key: Record] = [:]

    package init() {}

    /// Returns the time in milliseconds for which an address is still locked out; `nil` if it is not.
    package func lockout(of address: IPAddress?, _ kind: Kind, at time: GatewayTime) -> Int? {
        guard let address, let record = records[Key(address: address.unmapped, kind: kind)],
            time.uptime < record.lockedUntil
        else { return nil }
        return record.lockedUntil - time.uptime
    }

    /// Counts a failed attempt.
    package mutating func fail(_ address: IPAddress?, _ kind: Kind, at time: GatewayTime) {
        guard let address, !address.isLoopback else { return }
        let key = Key(address: address.unmapped, kind: kind)
        if records[key] == nil, records.count >= Self.limit,
            let oldest = records.min(by: { $0.value.last < $1.value.last })
        {
            records[oldest.key] = nil
        }
        var record = records[key] ?? Record()
        record.failures.removeAll { time.uptime - $0 > Self.window }
        record.failures.append(time.uptime)
        if record.failures.count >= Self.failures {
            record.lockedUntil = time.uptime + Self.lockout
            record.failures = []
        }
        records[key] = record
    }

    /// Forgets failures, since an attempt has succeeded.
    package mutating func succeed(_ address: IPAddress?, _ kind: Kind) {
        guard let address else { return }
        records[Key(address: address.unmapped, kind: kind)] = nil
    }
}
