/// The place of a value in a ``Slab``, for as long as it is there: four bytes, instead of a key that must be hashed.
struct Slot<Value>: Hashable, Sendable {
    let number: UInt32

    /// The index of the place in an array.
    var index: Int { Int(number) }
}
