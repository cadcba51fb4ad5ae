/// A set of domain names in the order in which they were inserted, so that work on them takes the same course in every
/// process: the order of a `Set` is another one in each.
///
/// Every operation takes constant time on average, wherever in the order the name is.
package struct OrderedNames: Sendable {
    /// The number of each name in the set.
    private var numbers: [DomainName: Int] = [:]

    /// The names with their numbers, in order; among them names that have been removed.
    private var order: [(name: DomainName, number: Int)] = []

    private var lastNumber = 0

    package init() {}

    package var isEmpty: Bool { numbers.isEmpty }

    /// Inserts a name at the end; one that is in the set keeps its place.
    package mutating func insert(_ name: DomainName) {
        guard numbers[name] == nil else { return }
        lastNumber += 1
        numbers[name] = lastNumber
        order.append((name, lastNumber))
    }

    package mutating func remove(_ name: DomainName) {
        guard numbers.removeValue(forKey: name) != nil, order.count > 2 * numbers.count + 64 else { return }
        order.removeAll { numbers[$0.name] != $0.number }
    }

    /// Removes all names, and returns them in order.
    package mutating func takeAll() -> [DomainName] {
        defer { self = OrderedNames() }
        return Array(self)
    }
}

extension OrderedNames: Sequence {
    package func makeIterator() -> Iterator { Iterator(names: self) }

    package struct Iterator: IteratorProtocol {
        private let names: OrderedNames
        private var position = 0

        /// Indicates whether no name in the order has been removed, as is nearly always so.
        private let isWhole: Bool

        fileprivate init(names: OrderedNames) {
            self.names = names
            self.isWhole = names.order.count == names.numbers.count
        }

        package mutating func next() -> DomainName? {
            while position < names.order.count {
                let (name, number) = names.order[position]
                position += 1
                if isWhole || names.numbers[name] == number { return name }
            }
            return nil
        }
    }
}
