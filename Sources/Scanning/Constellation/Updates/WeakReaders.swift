/// The readers of something, held weakly: one ends when its iterator is released.
struct WeakReaders<Reader: AnyObject & Sendable> {
    private struct Item {
        weak var reader: Reader?
    }

    private var items: [Item] = []

    /// The readers that are left.
    var present: [Reader] { items.compactMap(\.reader) }

    /// Adds a reader, and forgets those that are gone.
    mutating func add(_ reader: Reader) {
        items.removeAll { $0.reader == nil }
        items.append(Item(reader: reader))
    }

    mutating func removeAll() { items = [] }
}
