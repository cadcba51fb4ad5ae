// The tables of the standard library keep the memory of whatever was once in them. What a flood has filled is given back as it
// drains away; the checks are cheap enough to be made after each removal.

/// The sizes from which on memory is given back.
@usableFromInline enum Room {
    /// The number of places that are always kept.
    @usableFromInline static let small = 2_048

    /// The number of places for each one that is in use, from which on there are too many.
    @usableFromInline static let excess = 8
}

extension Dictionary {
    /// Gives memory back if nearly all of it is unused.
    @inlinable package mutating func giveBackRoom() {
        guard capacity > Room.small, count < capacity / Room.excess else { return }
        var smaller = Dictionary(minimumCapacity: 2 * count)
        for (key, value) in self { smaller[key] = value }
        self = smaller
    }
}

extension Set {
    /// Gives memory back if nearly all of it is unused.
    @inlinable package mutating func giveBackRoom() {
        guard capacity > Room.small, count < capacity / Room.excess else { return }
        var smaller = Set(minimumCapacity: 2 * count)
        for element in self { smaller.insert(element) }
        self = smaller
    }
}

extension RangeReplaceableCollection where Self: RandomAccessCollection {
    /// Removes the empty places at the end, and gives their memory back, if they are nearly all.
    ///
    /// - Parameters:
    ///   - used: The number of places that are in use, wherever they are.
    ///   - free: The empty places, of which those that are removed are taken out.
    ///   - isFree: Returns whether a place is empty.
    @inlinable package mutating func giveBackRoom<Number: BinaryInteger>(
        used: Int,
        free: inout [Number],
        where isFree: (Element) -> Bool
    ) {
        // While one that stays is at the end, each further try costs a look at that one.
        guard count > Room.small, used < count / Room.excess, let last, isFree(last) else { return }
        let end = lastIndex { !isFree($0) }.map { distance(from: startIndex, to: $0) + 1 } ?? 0
        guard end <= count / 2 else { return }
        self = Self(prefix(end))
        free = free.filter { Int($0) < end }
    }
}
