/// The records of one name and type on one path, as they come and go.
///
/// A changed record comes before the old one goes (RFC 6762 §10.2 lets the old one live for a second), so the record
/// that came last is the valid one.
struct RecordSet<Record: Hashable & Sendable>: Hashable, Sendable {
    /// The maximum number of records: more than there are of one name and type. In a flood, each further one replaces
    /// the oldest.
    private let limit: Int

    /// The records that have come and not gone, the latest last.
    private(set) var records: [Record] = []

    /// A record that a resolver has reported, which is valid until a record browser reports one.
    var hint: Record?

    /// The records that were known before the daemon went away and have not come back yet.
    private var unconfirmed: Set<Record> = []

    init(limit: Int = 8) {
        self.limit = limit
    }

    /// The valid record.
    var current: Record? {
        guard !unconfirmed.isEmpty else { return records.last ?? hint }
        return records.last { !unconfirmed.contains($0) } ?? hint ?? records.last
    }

    /// Adds a record, or removes it.
    ///
    /// - Returns: Whether anything changed.
    mutating func apply(_ kind: ObjectEvent.Kind, _ record: Record) -> Bool {
        switch kind {
        case .new: insert(record)
        case .remove: remove(record)
        }
    }

    /// Adds a record.
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

    /// Removes a record.
    ///
    /// - Returns: Whether anything changed.
    mutating func remove(_ record: Record) -> Bool {
        guard let index = records.firstIndex(of: record) else { return false }
        records.remove(at: index)
        unconfirmed.remove(record)
        return true
    }

    /// Marks every record as unconfirmed, since the daemon that reported them is gone.
    mutating func doubt() {
        hint = nil
        unconfirmed = Set(records)
    }

    /// Removes the records that have not been confirmed since ``doubt()``.
    ///
    /// - Returns: Whether anything changed.
    mutating func dropUnconfirmed() -> Bool {
        guard !unconfirmed.isEmpty else { return false }
        records.removeAll(where: unconfirmed.contains)
        unconfirmed = []
        return true
    }
}
