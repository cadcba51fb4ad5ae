internal import DNSSD

/// A collection of values that are found by key, or directly by slot.
///
/// A dictionary would copy keys and values into tables of its own, and each step from one value to a related one would
/// hash a long key. Here each value stays in one place, to which slots refer.
struct Slab<Value: SlabValue>: Sendable {
    private var values: ContiguousArray<Value> = []
    private var index = HashedNumbers()

    /// The empty slots.
    private var free: [Slot<Value>] = []

    /// The slots whose values were removed, but can still be read.
    private var removed: [Slot<Value>] = []

    init() {}

    /// The number of values.
    var count: Int { index.count }

    /// Returns the slot in which the value of a key is.
    func slot(of key: Value.Key) -> Slot<Value>? {
        index.first(HashedNumbers.hash(key)) { values[Int($0)].key == key }.map { Slot(number: $0) }
    }

    /// The value in a slot.
    subscript(slot: Slot<Value>) -> Value {
        // Without these accessors, each read of one property would copy, and retain, all of them.
        _read { yield values[slot.index] }
        _modify { yield &values[slot.index] }
    }

    /// Inserts a value whose key is not present.
    mutating func insert(_ value: Value) -> Slot<Value> {
        let slot: Slot<Value>
        if let vacant = free.popLast() {
            slot = vacant
            values[slot.index] = value
        } else {
            slot = Slot(number: UInt32(values.count))
            values.append(value)
        }
        index.insert(HashedNumbers.hash(value.key), slot.number)
        return slot
    }

    /// The number of slots, in use or not.
    var slotCount: Int { values.count }

    /// Removes a value, so that its key is no longer found. It can be read in its slot until ``reclaim()``.
    mutating func remove(_ slot: Slot<Value>) {
        index.remove(HashedNumbers.hash(values[slot.index].key), slot.number)
        removed.append(slot)
    }

    /// Releases the removed values. Their slots must not be used afterwards.
    mutating func reclaim() {
        guard !removed.isEmpty else { return }
        for slot in removed { values[slot.index].vacate() }
        free += removed
        removed.removeAll(keepingCapacity: true)
        if values.count > Self.small, index.count < values.count / 8 { shrink() }
    }

    /// The number of slots that are always kept.
    private static var small: Int { 1_024 }

    /// Gives back the memory of the slots behind the last one that is in use: what a flood has filled would otherwise stay
    /// for as long as the slab does.
    private mutating func shrink() {
        // While one that stays is at the end, each further try costs a look at that one.
        let last = Slot<Value>(number: UInt32(values.count - 1))
        guard slot(of: values[last.index].key) != last else { return }
        let end = index.numbers.max().map { Int($0) + 1 } ?? 0
        guard end <= values.count / 2 else { return }
        values = ContiguousArray(values[..<end])
        free = free.filter { $0.index < end }
        removed = []
        index.shrink()
    }

    /// Indicates whether a slot exists, whatever is in it now.
    func holds(_ slot: Slot<Value>) -> Bool { slot.index < values.count }

    /// All slots that are in use, in no particular order.
    var slots: [Slot<Value>] { index.numbers.map { Slot(number: $0) } }
}

/// The place of a value in a ``Slab``, for as long as it is there: four bytes, instead of a key that must be hashed.
struct Slot<Value>: Hashable, Sendable {
    let number: UInt32

    /// The index of the place in an array.
    var index: Int { Int(number) }
}

/// A value that a ``Slab`` can hold.
protocol SlabValue: Sendable {
    associatedtype Key: Hashable

    /// The key by which it is found. It never changes.
    var key: Key { get }

    /// Releases what the value holds, after it was removed.
    mutating func vacate()
}
