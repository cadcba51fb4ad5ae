/// The records of one name and type on one path, as they come and go.
///
/// A changed record comes before the old one goes (RFC 6762 §10.2 lets the old one live for a second), so that the last
/// that came is the one that holds.
struct RecordSet<Record: Hashable & Sendable>: Hashable, Sendable {
    /// More records of one name and type than anybody has; what a flood brings on top replaces the oldest.
    private let limit: Int

    /// The records that have come and not gone, the latest last.
    private(set) var records: [Record] = []

    /// A record that was learned of in another way, and holds until a record comes.
    var hint: Record?

    /// Those that were known before the daemon went away and have not come back yet.
    private var unconfirmed: Set<Record> = []

    init(limit: Int = 8) {
        self.limit = limit
    }

    /// The record that holds.
    var current: Record? {
        guard !unconfirmed.isEmpty else { return records.last ?? hint }
        return records.last { !unconfirmed.contains($0) } ?? hint ?? records.last
    }

    /// Takes in a record, or takes it out.
    ///
    /// - Returns: Whether anything changed.
    mutating func apply(_ kind: ObjectEvent.Kind, _ record: Record) -> Bool {
        switch kind {
        case .new: insert(record)
        case .remove: remove(record)
        }
    }

    /// Takes in a record.
    ///
    /// - Returns: Whether anything changed.
    mutating func insert(_ record: Record) -> Bool {
        let before = (current, records.count)
        hint = nil
        unconfirmed.remove(record)
        records.removeAll { $0 == record }
        if records.count == limit { unconfirmed.remove(records.removeFirst()) }
        records.append(record)
        return before != (current, records.count)
    }

    /// Takes out a record.
    ///
    /// - Returns: Whether anything changed.
    mutating func remove(_ record: Record) -> Bool {
        guard let index = records.firstIndex(of: record) else { return false }
        records.remove(at: index)
        unconfirmed.remove(record)
        return true
    }

    /// Marks every record as not confirmed: the daemon that told of them is gone.
    mutating func doubt() {
        hint = nil
        unconfirmed = Set(records)
    }

    /// Takes out what has not been confirmed since ``doubt()``.
    ///
    /// - Returns: Whether anything changed.
    mutating func dropUnconfirmed() -> Bool {
        guard !unconfirmed.isEmpty else { return false }
        records.removeAll(where: unconfirmed.contains)
        unconfirmed = []
        return true
    }
}
