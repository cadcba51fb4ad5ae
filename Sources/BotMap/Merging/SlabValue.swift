/// What a ``Slab`` can hold.
protocol SlabValue: Sendable {
    associatedtype Key: Hashable

    /// What it is found by. It never changes.
    var key: Key { get }

    /// Lets go of what it holds; nobody finds it any more.
    mutating func vacate()
}
