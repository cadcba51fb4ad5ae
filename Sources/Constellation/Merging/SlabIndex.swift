/// The numbers of slots by the hashes of their keys: an open-addressing table with linear probing.
///
/// An entry has eight bytes and no key, so that the table of a large map fits in a processor's cache, and a look-up
/// goes to memory for the value alone. Hashes must come from a keyed hash such as `Hasher`, since strangers choose the
/// names.
struct SlabIndex: Sendable {
    private struct Entry {
        var hash: UInt32 = 0

        /// The number plus one; 0 in an empty entry.
        var mark: UInt32 = 0
    }

    /// The entries; their count is a power of two, and at most half of them are in use.
    private var entries: ContiguousArray<Entry> = []
    private(set) var count = 0

    private var mask: Int { entries.count - 1 }

    /// Returns the number with this hash that satisfies the predicate.
    func first(_ hash: UInt32, where isRight: (UInt32) -> Bool) -> UInt32? {
        guard count > 0 else { return nil }
        var place = Int(hash) & mask
        while true {
            let entry = entries[place]
            if entry.mark == 0 { return nil }
            if entry.hash == hash, isRight(entry.mark - 1) { return entry.mark - 1 }
            place = (place + 1) & mask
        }
    }

    mutating func insert(_ hash: UInt32, _ number: UInt32) {
        if (count + 1) * 2 > entries.count { grow() }
        put(Entry(hash: hash, mark: number + 1))
        count += 1
    }

    mutating func remove(_ hash: UInt32, _ number: UInt32) {
        guard count > 0 else { return }
        var hole = Int(hash) & mask
        while entries[hole].mark != number + 1 {
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
    var numbers: [UInt32] { entries.compactMap { $0.mark == 0 ? nil : $0.mark - 1 } }

    private mutating func put(_ entry: Entry) {
        var place = Int(entry.hash) & mask
        while entries[place].mark != 0 { place = (place + 1) & mask }
        entries[place] = entry
    }

    private mutating func grow() { rebuild(max(16, entries.count * 2)) }

    /// Gives back the memory of empty entries, if these are nearly all.
    mutating func shrink() {
        var size = 16
        while size < count * 4 { size *= 2 }
        if size < entries.count { rebuild(size) }
    }

    private mutating func rebuild(_ size: Int) {
        let old = entries
        entries = ContiguousArray(repeating: Entry(), count: size)
        for entry in old where entry.mark != 0 { put(entry) }
    }
}
