internal import DNSSD

/// The records of a ``RecordSlots`` that has, or had, more than one.
struct RecordGroup {
    /// The number of records above which they are found through a table.
    private static let tableThreshold = 8

    /// The slots of the records.
    private(set) var slots: [Int]

    /// The slot of each record, in a set with many.
    private var table: HashedNumbers?

    init(_ slot: Int) {
        self.slots = [slot]
    }

    /// Returns the slot of the record with this data.
    func slot(of data: DNSRecordData, in records: [CachedRecord?]) -> Int? {
        if let table {
            return table.first(HashedNumbers.hash(data)) { records[Int($0)]?.data == data }.map { Int($0) }
        }
        return slots.first { records[$0]?.data == data }
    }

    /// Inserts a record.
    ///
    /// - Returns: Its position in ``slots``.
    mutating func insert(_ slot: Int, _ data: DNSRecordData, in records: [CachedRecord?]) -> Int {
        slots.append(slot)
        if table != nil {
            table?.insert(HashedNumbers.hash(data), UInt32(slot))
        } else if slots.count > Self.tableThreshold {
            var table = HashedNumbers()
            for other in slots.dropLast() {
                if let record = records[other] { table.insert(HashedNumbers.hash(record.data), UInt32(other)) }
            }
            table.insert(HashedNumbers.hash(data), UInt32(slot))
            self.table = table
        }
        return slots.count - 1
    }

    /// Removes a record.
    ///
    /// - Returns: The slot of the record that took its position, if one did.
    mutating func remove(_ data: DNSRecordData, at position: Int) -> Int? {
        table?.remove(HashedNumbers.hash(data), UInt32(slots[position]))
        let last = slots.removeLast()
        guard position < slots.count else { return nil }
        slots[position] = last
        return last
    }
}
