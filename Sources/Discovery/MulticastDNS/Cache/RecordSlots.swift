internal import DNSSD

/// The slots in the cache of all records of one name and type.
///
/// Most sets have one record, and need no memory of their own; the one that lists a service type may have thousands.
enum RecordSlots {
    case empty
    case one(UInt32)
    indirect case several(RecordGroup)

    /// Returns the slot of the record with this data.
    func slot(of data: DNSRecordData, in records: [CachedRecord?]) -> Int? {
        switch self {
        case .empty: nil
        case .one(let slot): records[Int(slot)]?.data == data ? Int(slot) : nil
        case .several(let group): group.slot(of: data, in: records)
        }
    }

    /// Inserts a record.
    ///
    /// - Returns: Its position.
    mutating func insert(_ slot: Int, _ data: DNSRecordData, in records: [CachedRecord?]) -> Int {
        var group: RecordGroup
        switch self {
        case .empty:
            self = .one(UInt32(slot))
            return 0
        case .one(let first): group = RecordGroup(Int(first))
        case .several(let present): group = present
        }
        // With only one reference left, the group is changed in place.
        self = .empty
        let position = group.insert(slot, data, in: records)
        self = .several(group)
        return position
    }

    /// Removes a record.
    ///
    /// - Returns: The slot of the record that took its position, if one did.
    mutating func remove(_ data: DNSRecordData, at position: Int) -> Int? {
        guard case .several(var group) = self else {
            self = .empty
            return nil
        }
        self = .empty
        let moved = group.remove(data, at: position)
        self = group.slots.isEmpty ? .empty : .several(group)
        return moved
    }
}

extension RecordSlots: Sequence {
    /// The number of records.
    var count: Int {
        switch self {
        case .empty: 0
        case .one: 1
        case .several(let group): group.slots.count
        }
    }

    func makeIterator() -> Iterator { Iterator(set: self) }

    /// An iterator over the slots of the records.
    struct Iterator: IteratorProtocol {
        private let set: RecordSlots
        private var position = 0

        fileprivate init(set: RecordSlots) {
            self.set = set
        }

        mutating func next() -> Int? {
            guard position < set.count else { return nil }
            defer { position += 1 }
            return switch set {
            case .empty: nil
            case .one(let slot): Int(slot)
            case .several(let group): group.slots[position]
            }
        }
    }
}

/// The sets of records, by their names and types.
///
/// There is a table for each of the few types. One for all of them would grow to twice its size when a flood has brought as many
/// names as are stored, since each of these has a set of three types.
struct RecordSets {
    private var types: [DNSRecordType] = []
    private var tables: [[DomainName: RecordSlots]] = []

    /// The set of a name and type.
    subscript(key: RecordKey) -> RecordSlots {
        get { types.firstIndex(of: key.type).flatMap { tables[$0][key.name] } ?? .empty }
        _modify {
            let index = types.firstIndex(of: key.type) ?? types.count
            if index == types.count {
                types.append(key.type)
                tables.append([:])
            }
            yield &tables[index][key.name, default: .empty]
        }
    }

    /// Removes a set that has become empty.
    mutating func remove(_ key: RecordKey) {
        guard let index = types.firstIndex(of: key.type) else { return }
        tables[index][key.name] = nil
        tables[index].giveBackRoom()
    }
}

/// The name and type, in the Internet class, that a question asks for and a set of records answers.
struct RecordKey: Hashable, Comparable, Sendable {
    let name: DomainName
    let type: DNSRecordType

    init(_ name: DomainName, _ type: DNSRecordType) {
        self.name = name
        self.type = type
    }

    /// The question for the records, never with the QU bit: a unicast answer to the shared port may reach another
    /// process of this host (RFC 6762 §15.1).
    var question: DNSQuestion { DNSQuestion(name: name, type: type) }

    static func < (lhs: RecordKey, rhs: RecordKey) -> Bool {
        lhs.type != rhs.type ? lhs.type < rhs.type : lhs.name < rhs.name
    }
}
