/// Numbers by the hashes of their keys: an open-addressing table with linear probing.
///
/// An entry has eight bytes and no key, so that the table of many fits in a processor's cache, and a look-up goes to
/// memory for the value alone. Hashes must come from a keyed hash such as `Hasher`, since strangers choose the names. Everything
/// is inlinable, as in ``SourceLedger``.
package struct HashedNumbers: Sendable {
    @usableFromInline struct Entry: Sendable {
        @usableFromInline var hash: UInt32

        /// The number plus one; 0 in an empty entry.
        @usableFromInline var mark: UInt32

        @inlinable init(hash: UInt32 = 0, mark: UInt32 = 0) {
            self.hash = hash
            self.mark = mark
        }
    }

    /// The entries; their count is a power of two, and at most half of them are in use.
    @usableFromInline var entries: ContiguousArray<Entry> = []
    @usableFromInline package internal(set) var count = 0

    @inlinable var mask: Int { entries.count - 1 }

    @inlinable package init() {}

    /// Returns the hash of a key.
    @inlinable package static func hash(_ key: some Hashable) -> UInt32 {
        var hasher = Hasher()
        hasher.combine(key)
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }

    /// Returns the number with this hash that satisfies the predicate.
    @inlinable package func first(_ hash: UInt32, where isRight: (UInt32) -> Bool) -> UInt32? {
        guard count > 0 else { return nil }
        var place = Int(hash) & mask
        while true {
            let entry = entries[place]
            if entry.mark == 0 { return nil }
            if entry.hash == hash, isRight(entry.mark - 1) { return entry.mark - 1 }
            place = (place + 1) & mask
        }
    }

    @inlinable package mutating func insert(_ hash: UInt32, _ number: UInt32) {
        if (count + 1) * 2 > entries.count { grow() }
        put(Entry(hash: hash, mark: number + 1))
        count += 1
    }

    @inlinable package mutating func remove(_ hash: UInt32, _ number: UInt32) {
        guard count > 0 else { return }
        var hole = Int(hash) & mask
        while entries[hole].mark != number + 1 || entries[hole].hash != hash {
            if entries[hole].mark == 0 { return }
            hole = (hole + 1) & mask
        }
        count -= 1
        // Entries that would no longer be found across the hole move into it.
        var place = (hole + 1) & mask
        while entries[place].mark != 0 {
            let home = Int(entries[place].hash) & mask
            if (place - home) & mask >= (place - hole) & mask {
                entries[hole] = entries[place]
                hole = place
            }
            place = (place + 1) & mask
        }
        entries[hole] = Entry()
    }

    /// All numbers, in no particular order.
    @inlinable package var numbers: [UInt32] { entries.compactMap { $0.mark == 0 ? nil : $0.mark - 1 } }

    @inlinable mutating func put(_ entry: Entry) {
        var place = Int(entry.hash) & mask
        while entries[place].mark != 0 { place = (place + 1) & mask }
        entries[place] = entry
    }

    @inlinable mutating func grow() { rebuild(max(16, entries.count * 2)) }

    /// Gives back the memory of empty entries, if these are nearly all.
    @inlinable package mutating func shrink() {
        var size = 16
        while size < count * 4 { size *= 2 }
        if size < entries.count { rebuild(size) }
    }

    /// Gives memory back as the tables of the standard library do: see ``Room``.
    @inlinable package mutating func giveBackRoom() {
        if entries.count > 2 * Room.small, count < entries.count / (2 * Room.excess) { shrink() }
    }

    @inlinable mutating func rebuild(_ size: Int) {
        let old = entries
        entries = ContiguousArray(repeating: Entry(), count: size)
        for entry in old where entry.mark != 0 { put(entry) }
    }
}
