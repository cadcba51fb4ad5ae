/// A value that a ``Slab`` can hold.
protocol SlabValue: Sendable {
    associatedtype Key: Hashable

    /// The key by which it is found. It never changes.
    var key: Key { get }

    /// Lets go of what it holds; nobody finds it any more.
    mutating func vacate()
}
