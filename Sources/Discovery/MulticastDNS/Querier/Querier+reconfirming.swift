internal import DNSSD

/// Reconfirming records that may be stale: they are asked for, and expire unless somebody answers (RFC 6762 §10.4).
extension Querier {
    /// Records that the service that an instance advertises did not answer: its records are reconfirmed.
    mutating func reconfirm(
        _ instance: ServiceInstance,
        now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) {
        self.now = now
        guard let name = try? DomainName(escaped: instance.fullName), let entry = instances[name] else { return }
        doubtListings(of: name, using: &random)
        doubtAll(RecordKey(name, .srv), using: &random)
        guard let host = entry.host else { return }
        doubtAll(RecordKey(host, .a), using: &random)
        doubtAll(RecordKey(host, .aaaa), using: &random)
    }

    /// Records that an instance has gone from another path: unless it is leaving here too, it is reconfirmed.
    ///
    /// Its goodbye may have been lost here. A responder that has not finished probing on one family does not send one
    /// there at all, although it has answered there: systemd-resolved does so.
    mutating func noteGoneElsewhere(
        _ instance: ServiceInstance,
        now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) {
        self.now = now
        guard let name = try? DomainName(escaped: instance.fullName) else { return }
        doubtListings(of: name, using: &random)
    }

    /// Returns the instances whose last listing has expired since the last call, after a goodbye or without an answer;
    /// not those that were given up for lack of room, or that nobody browses for any more.
    mutating func takeGone() -> [ServiceInstance] {
        defer { reports.gone = [] }
        return reports.gone
    }

    /// Doubts the PTR records that list an instance.
    mutating func doubtListings(of name: DomainName, using random: inout some RandomNumberGenerator) {
        for listing in instances[name]?.listings ?? [] {
            cache.doubt(.ptr(name), for: RecordKey(listing, .ptr), now: now, using: &random)
        }
    }

    /// Doubts all records of a set.
    mutating func doubtAll(_ key: RecordKey, using random: inout some RandomNumberGenerator) {
        for data in cache[key].map(\.data) { cache.doubt(data, for: key, now: now, using: &random) }
    }
}
