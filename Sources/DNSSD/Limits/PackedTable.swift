/// A dictionary of which there may be many large values.
///
/// The table of a dictionary is between a quarter and five eighths empty, and each empty place takes the room of a key and a
/// value. Here it has numbers, and the values are in an array without gaps but those of removed ones. Everything is inlinable,
/// as in ``SourceLedger``.
package struct PackedTable<Key: Hashable, Value> {
    @usableFromInline var index = HashedNumbers()
    @usableFromInline var storedKeys: [Key?] = []
    @usableFromInline var values: [Value?] = []

    /// The numbers whose values were removed.
    @usableFromInline var free: [UInt32] = []

    @inlinable package init() {}

    @inlinable package var count: Int { index.count }

    @inlinable package var isEmpty: Bool { count == 0 }

    /// The keys that have a value, in no particular order.
    @inlinable package var keys: some Sequence<Key> { storedKeys.lazy.compactMap(\.self) }

    @inlinable package subscript(key: Key) -> Value? {
        get { number(of: key).flatMap { values[Int($0)] } }
        _modify {
            if let number = number(of: key) {
                // In place: a copy would also copy the arrays of the value as soon as they change.
                defer { if values[Int(number)] == nil { vacate(number, of: key) } }
                yield &values[Int(number)]
            } else {
                var value: Value?
                defer { if let value { insert(value, for: key) } }
                yield &value
            }
        }
    }

    /// Removes and returns the value of a key. It can be changed and put back without being copied.
    @inlinable package mutating func removeValue(forKey key: Key) -> Value? {
        guard let number = number(of: key) else { return nil }
        defer { vacate(number, of: key) }
        return values[Int(number)].take()
    }

    @inlinable func number(of key: Key) -> UInt32? {
        index.first(HashedNumbers.hash(key)) { storedKeys[Int($0)] == key }
    }

    @inlinable mutating func insert(_ value: Value, for key: Key) {
        let number = free.popLast() ?? UInt32(values.count)
        if Int(number) == values.count {
            storedKeys.append(key)
            values.append(value)
        } else {
            storedKeys[Int(number)] = key
            values[Int(number)] = value
        }
        index.insert(HashedNumbers.hash(key), number)
    }

    @inlinable mutating func vacate(_ number: UInt32, of key: Key) {
        index.remove(HashedNumbers.hash(key), number)
        storedKeys[Int(number)] = nil
        values[Int(number)] = nil
        free.append(number)
    }

    /// Gives memory back if nearly all of it is unused.
    @inlinable package mutating func giveBackRoom() {
        index.giveBackRoom()
        var freeKeys = free
        storedKeys.giveBackRoom(used: count, free: &freeKeys) { $0 == nil }
        values.giveBackRoom(used: count, free: &free) { $0 == nil }
    }
}

extension PackedTable: Sequence {
    /// Returns the keys with their values, in no particular order.
    @inlinable package func makeIterator() -> some IteratorProtocol<(key: Key, value: Value)> {
        zip(storedKeys, values).lazy.compactMap { key, value -> (key: Key, value: Value)? in
            guard let key, let value else { return nil }
            return (key, value)
        }.makeIterator()
    }
}

extension PackedTable: Sendable where Key: Sendable, Value: Sendable {}
