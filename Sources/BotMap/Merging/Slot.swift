/// Where a value is in a ``Slab``, for as long as it is there: four bytes, in place of a key that must be hashed.
struct Slot<Value>: Hashable, Sendable {
    let number: UInt32

    /// Where it is in an array.
    var index: Int { Int(number) }
}
