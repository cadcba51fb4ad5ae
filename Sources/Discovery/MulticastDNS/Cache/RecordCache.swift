internal import DNSSD

/// The records that were received on one link, and the times at which each is to be asked for again or expires (RFC
/// 6762 §10).
///
/// The cost of handling one record is the same however many there are. Which records are worth storing is up to the
/// ``Querier``. A value: no clock, no I/O.
struct RecordCache {
    /// The effect of a received record.
    enum Outcome: Hashable {
        /// The record is new.
        case added

        /// The record was known.
        case refreshed

        /// The record was known, and expires in a second.
        case leaving

        /// The record changes nothing: a goodbye for a record that is not known.
        case ignored
    }

    /// An event that becomes due as time passes: a set of records has to be refreshed, or a record has expired.
    enum Event {
        /// A set of records is to be asked for.
        case refresh(RecordKey)

        /// A record has expired. `wasLeaving`: its owner withdrew it, or another record replaced it.
        case expired(RecordKey, DNSRecordData, wasLeaving: Bool)
    }

    /// The time for which a record is safe from the cache-flush bit of another one: they may belong together and have
    /// come in several packets (RFC 6762 §10.2).
    static let flushGrace = Duration.seconds(1)

    /// Questions that are due within this time of each other go out together.
    private static let grid = Duration.milliseconds(500)

    /// The origin of the time grid.
    private let epoch: ContinuousClock.Instant

    private var records: [CachedRecord?] = []
    private var freeSlots: [Int] = []
    private var sets = RecordSets()
    private var heap = DeadlineHeap<UInt32>()

    /// The number of records.
    var count: Int { records.count - freeSlots.count }

    /// The number of times that a full set lost a record to a new one while the lost record was still valid.
    private(set) var replaced = 0

    /// The number of bytes that the records count for.
    private(set) var bytes = 0

    /// The time at which ``take(until:using:)`` may return an event.
    var deadline: ContinuousClock.Instant? { heap.next }

    init(now: ContinuousClock.Instant) {
        self.epoch = now
    }

    // MARK: Stored records

    /// The records of a set.
    subscript(key: RecordKey) -> some Sequence<CachedRecord> {
        sets[key].lazy.compactMap { records[$0] }
    }

    func count(of key: RecordKey) -> Int { sets[key].count }

    func contains(_ data: DNSRecordData, for key: RecordKey) -> Bool {
        sets[key].slot(of: data, in: records) != nil
    }

    /// Indicates whether there is such a record, and it has not been withdrawn or replaced.
    func holds(_ data: DNSRecordData, for key: RecordKey) -> Bool {
        self[key].contains { $0.data == data && !$0.lifetime.isLeaving }
    }

    /// Returns the record of a set that is valid now: the one received last, and one that is leaving only if there is
    /// no other.
    func current(_ key: RecordKey) -> CachedRecord? {
        var best: CachedRecord?
        for record in self[key] {
            guard let known = best else {
                best = record
                continue
            }
            let (one, other) = (record.lifetime, known.lifetime)
            if one.isLeaving != other.isLeaving ? other.isLeaving : one.received > other.received { best = record }
        }
        return best
    }

    // MARK: Receiving

    /// Handles a record that was received.
    ///
    /// - Parameters:
    ///   - record: The record, in the Internet class.
    ///   - limit: The number of records that the set may hold. Past it, the source with the most of them loses one.
    mutating func receive(
        _ record: DNSRecord,
        from source: PacketSource,
        limit: Int,
        now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) -> Outcome {
        let key = RecordKey(record.name, record.type)
        // PTR records of services are shared by many owners: with the bit set they are a mistake or an attack.
        if record.isCacheFlush, key.type != .ptr { flush(key, except: record.data, now: now) }
        guard let slot = sets[key].slot(of: record.data, in: records) else {
            guard record.ttl > 0 else { return .ignored }
            if count(of: key) >= limit { makeRoom(in: key, for: source, using: &random) }
            add(key, record, from: source, now: now, using: &random)
            return .added
        }
        if record.ttl == 0 {
            let isNews = records[slot]?.lifetime.isLeaving == false
            records[slot]?.lifetime.leave(now: now)
            schedule(slot)
            return isNews ? .leaving : .ignored
        }
        records[slot]?.lifetime = RecordLifetime(ttl: record.ttl, now: now, using: &random)
        schedule(slot)
        return .refreshed
    }

    private mutating func flush(_ key: RecordKey, except data: DNSRecordData, now: ContinuousClock.Instant) {
        for slot in sets[key] {
            guard let record = records[slot], !record.lifetime.isLeaving, record.data != data,
                record.lifetime.received + Self.flushGrace < now
            else { continue }
            records[slot]?.lifetime.leave(now: now)
            schedule(slot)
        }
    }

    private mutating func add(
        _ key: RecordKey,
        _ record: DNSRecord,
        from source: PacketSource,
        now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) {
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
        } else {
            slot = records.count
            records.append(nil)
        }
        let position = sets[key].insert(slot, record.data, in: records)
        let lifetime = RecordLifetime(ttl: record.ttl, now: now, using: &random)
        let cached = CachedRecord(
            source: source,
            data: record.data,
            position: UInt32(position),
            name: key.name,
            lifetime: lifetime
        )
        bytes += cached.size
        records[slot] = cached
        schedule(slot)
    }

    /// Puts a record in doubt: it is asked for, and expires unless somebody answers (RFC 6762 §10.4).
    mutating func doubt(
        _ data: DNSRecordData,
        for key: RecordKey,
        now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) {
        guard let slot = sets[key].slot(of: data, in: records) else { return }
        records[slot]?.lifetime.doubt(now: now, using: &random)
        schedule(slot)
    }

    // MARK: Removal

    /// Removes a record.
    mutating func remove(_ data: DNSRecordData, for key: RecordKey) {
        guard let slot = sets[key].slot(of: data, in: records) else { return }
        remove(slot)
    }

    /// Removes all records of a set.
    mutating func removeAll(for key: RecordKey) {
        for slot in sets[key] { remove(slot) }
    }

    /// Returns the next event that is due; `nil` when there is none.
    mutating func take(
        until now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) -> Event? {
        while let (time, element) = heap.take(until: now) {
            let slot = Int(element)
            // The record may have a newer entry by now, or another record may be in its slot.
            guard slot < records.count, let record = records[slot], record.scheduled?.wrappedValue == time else {
                continue
            }
            records[slot]?.scheduled = nil
            if record.lifetime.expiry <= now {
                remove(slot)
                return .expired(record.key, record.data, wasLeaving: record.lifetime.isLeaving)
            }
            if record.lifetime.due <= now {
                records[slot]?.lifetime.advance(using: &random)
                schedule(slot)
                return .refresh(record.key)
            }
            schedule(slot)
        }
        return nil
    }

    /// Removes a record from a full set, which is a small one: the newest record of the source with the most, so that a
    /// forger loses its own records; the oldest one if that is the source of the new record, since an owner may change
    /// its record often. If there are several such sources, one is drawn at random: a forger must not be able to choose
    /// whose record it is.
    private mutating func makeRoom(
        in key: RecordKey,
        for source: PacketSource,
        using random: inout some RandomNumberGenerator
    ) {
        // A record that is leaving anyway can be removed without a loss.
        if let leaving = self[key].first(where: \.lifetime.isLeaving) {
            remove(leaving.data, for: key)
            return
        }
        replaced += 1
        var counts: [PacketSource: Int] = [:]
        for record in self[key] { counts[record.source, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        // Each of them has as many records as the others, and so as good a chance.
        let payers = self[key].map(\.source).filter { counts[$0] == most }
        let payer = counts[source] == most ? source : payers.randomElement(using: &random)
        let own = self[key].filter { $0.source == payer }.sorted { $0.lifetime.received < $1.lifetime.received }
        if let victim = payer == source ? own.first : own.last { remove(victim.data, for: key) }
    }

    private mutating func remove(_ slot: Int) {
        guard let record = records[slot] else { return }
        let key = record.key
        if let moved = sets[key].remove(record.data, at: Int(record.position)) {
            records[moved]?.position = record.position
        }
        if sets[key].count == 0 {
            sets.remove(key)
        }
        bytes -= record.size
        records[slot] = nil
        freeSlots.append(slot)
        records.giveBackRoom(used: count, free: &freeSlots) { $0 == nil }
    }

    /// Ensures that the heap has an entry for a record, no later than the record is due.
    private mutating func schedule(_ slot: Int) {
        guard let lifetime = records[slot]?.lifetime else { return }
        let due = lifetime.due < lifetime.expiry ? min(gridded(lifetime.due), lifetime.expiry) : lifetime.expiry
        let time = StoredInstant(wrappedValue: due)
        // An earlier entry is found to be too early when it comes up, and the record is then entered again.
        if let scheduled = records[slot]?.scheduled, scheduled <= time { return }
        records[slot]?.scheduled = time
        heap.insert(UInt32(slot), at: due)
        guard heap.count > 2 * count + 1_024 else { return }
        heap.rebuild(
            records.indices.compactMap { slot in
                records[slot]?.scheduled.map { ($0.wrappedValue, UInt32(slot)) }
            }
        )
    }

    /// Returns the next time of the grid, at which questions go out together.
    private func gridded(_ time: ContinuousClock.Instant) -> ContinuousClock.Instant {
        epoch + Self.grid * ((time - epoch) / Self.grid).rounded(.up)
    }
}
