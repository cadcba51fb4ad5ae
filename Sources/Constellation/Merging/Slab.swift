/// Values that are found by their keys, or at once by their slots.
///
/// A dictionary would copy keys and values into tables of its own, and whoever follows from one thing to the next would
/// hash its long key each time. Here each value lies in one place, and slots lead there.
struct Slab<Value: SlabValue>: Sendable {
    private var values: ContiguousArray<Value> = []
    private var index = SlabIndex()

    /// Slots that nothing is in.
    private var free: [Slot<Value>] = []

    /// Slots whose values were taken out, and can still be read.
    private var removed: [Slot<Value>] = []

    init() {}

    /// The number of values.
    var count: Int { index.count }

    /// Returns the slot in which the value of a key is.
    func slot(of key: Value.Key) -> Slot<Value>? {
        index.first(Self.hash(key)) { values[Int($0)].key == key }.map { Slot(number: $0) }
    }

    /// The value in a slot.
    subscript(slot: Slot<Value>) -> Value {
        // Without these, each look at one property would copy, and retain, all of them.
        _read { yield values[slot.index] }
        _modify { yield &values[slot.index] }
    }

    /// Puts in a value whose key is not there.
    mutating func insert(_ value: Value) -> Slot<Value> {
        let slot: Slot<Value>
        if let vacant = free.popLast() {
            slot = vacant
            values[slot.index] = value
        } else {
            slot = Slot(number: UInt32(values.count))
            values.append(value)
        }
        index.insert(Self.hash(value.key), slot.number)
        return slot
    }

    /// Takes a value out, so that it is found no more. It can be read in its slot until ``reclaim()``.
    mutating func remove(_ slot: Slot<Value>) {
        index.remove(Self.hash(values[slot.index].key), slot.number)
        removed.append(slot)
    }

    /// Lets go of what was taken out. Nobody may hold a slot of it any more.
    mutating func reclaim() {
        guard !removed.isEmpty else { return }
        for slot in removed { values[slot.index].vacate() }
        free += removed
        removed.removeAll(keepingCapacity: true)
    }

    /// All slots that are in use, in no order.
    var slots: [Slot<Value>] { index.numbers.map { Slot(number: $0) } }

    private static func hash(_ key: Value.Key) -> UInt32 {
        var hasher = Hasher()
        hasher.combine(key)
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }
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

    /// Lets go of what it holds; nobody finds it any more.
    mutating func vacate()
}
