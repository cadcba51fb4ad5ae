internal import DNSSD

/// The state of a responder on one path.
struct ResponderPath: Sendable {
    /// The link, and this host's addresses on it.
    var link: Link

    /// The records that we answer with there; `nil` when they have to be collected again.
    var zone: RecordZone?

    /// The time at which each record was last multicast.
    private var sent: [DNSRecord: ContinuousClock.Instant] = [:]

    /// The answers that are to be multicast, with the times at which they are due.
    private var pending: [DNSRecord: ContinuousClock.Instant] = [:]

    /// The time at which the latest shared answers are sent: those that are requested before then are sent with them.
    private var nextShared: ContinuousClock.Instant?

    /// The time at which the first pending answer is due.
    private(set) var deadline: ContinuousClock.Instant?

    init(link: Link) {
        self.link = link
    }

    /// The number of waiting answers.
    var pendingCount: Int { pending.count }

    /// Schedules an answer to be multicast (RFC 6762 §6): a unique record at once, a shared one after 20 to 120 ms, and
    /// none within a second of the last time.
    ///
    /// - Parameters:
    ///   - isDefence: Whether it answers a probe: then a quarter of a second since the last time is enough.
    ///   - hasWaited: Whether the question has waited already (§7.2).
    mutating func schedule(
        _ record: DNSRecord,
        isDefence: Bool = false,
        hasWaited: Bool = false,
        now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) {
        var due = record.isCacheFlush || hasWaited ? now : sharedTime(now: now, using: &random)
        if let last = sent[record] { due = max(due, last + (isDefence ? .milliseconds(250) : .seconds(1))) }
        pending[record] = min(due, pending[record] ?? due)
        deadline = min(due, deadline ?? due)
    }

    /// Returns the time at which shared records that are requested now are sent: together, as long as each has waited
    /// for at least 20 ms.
    private mutating func sharedTime(
        now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) -> ContinuousClock.Instant {
        if let time = nextShared, time >= now + .milliseconds(20) { return time }
        let time = now + .milliseconds(Int.random(in: 20...120, using: &random))
        nextShared = time
        return time
    }

    /// Drops a pending answer that another responder has just given (RFC 6762 §7.4).
    mutating func suppress(_ record: DNSRecord) {
        guard pending.removeValue(forKey: record) != nil else { return }
        deadline = pending.values.min()
    }

    /// Removes and returns the answers that are due.
    mutating func takeDue(now: ContinuousClock.Instant) -> [DNSRecord] {
        guard let deadline, deadline <= now else { return [] }
        let due = pending.filter { $0.value <= now }.keys
        for record in due { pending[record] = nil }
        self.deadline = pending.values.min()
        return Array(due)
    }

    /// Indicates whether this record was multicast lately: within a quarter of its TTL (RFC 6762 §5.4).
    func hasHeardLately(_ record: DNSRecord, now: ContinuousClock.Instant) -> Bool {
        guard let last = sent[record] else { return false }
        return last + .milliseconds(Int(record.ttl) * 250) > now
    }

    /// Stores the time at which records were multicast, and drops them from the pending answers.
    mutating func noteSent(_ records: [DNSRecord], now: ContinuousClock.Instant) {
        for record in records {
            sent[record] = now
            pending[record] = nil
        }
        deadline = pending.values.min()
    }

    /// Forgets the records that are no longer ours.
    mutating func keepOnly(_ isOurs: (DNSRecord) -> Bool) {
        sent = sent.filter { isOurs($0.key) }
        pending = pending.filter { isOurs($0.key) }
        deadline = pending.values.min()
    }
}
