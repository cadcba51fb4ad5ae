/// A set of which there may be very many, nearly all with one element, which takes no memory of its own: a set of the standard
/// library takes 80 bytes for it. Everything is inlinable, as in ``SourceLedger``.
package struct MostlyOne<Element: Hashable> {
    @usableFromInline var first: Element?
    @usableFromInline var others: Set<Element> = []

    @inlinable package init() {}

    @inlinable package var count: Int { others.count + (first == nil ? 0 : 1) }

    @inlinable package var isEmpty: Bool { count == 0 }

    @inlinable package func contains(_ element: Element) -> Bool { first == element || others.contains(element) }

    /// Inserts an element.
    ///
    /// - Returns: Whether it was not in the set.
    @discardableResult
    @inlinable package mutating func insert(_ element: Element) -> Bool {
        guard !contains(element) else { return false }
        if isEmpty { first = element } else { others.insert(element) }
        return true
    }

    /// Removes an element.
    ///
    /// - Returns: Whether it was in the set.
    @discardableResult
    @inlinable package mutating func remove(_ element: Element) -> Bool {
        guard first == element else { return others.remove(element) != nil }
        first = nil
        return true
    }
}

extension MostlyOne: Sequence {
    /// Returns the elements, in no particular order.
    @inlinable package func makeIterator() -> MostlyOneIterator<Element> {
        MostlyOneIterator(first: first, others: others.makeIterator())
    }
}

/// An iterator over the elements of a ``MostlyOne``.
package struct MostlyOneIterator<Element: Hashable>: IteratorProtocol {
    @usableFromInline var first: Element?
    @usableFromInline var others: Set<Element>.Iterator

    @inlinable init(first: Element?, others: Set<Element>.Iterator) {
        self.first = first
        self.others = others
    }

    @inlinable package mutating func next() -> Element? { first.take() ?? others.next() }
}

extension MostlyOne: Sendable where Element: Sendable {}
