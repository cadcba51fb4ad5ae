/// The offsets of the labels in a message, each with the rest of its name after it: for name compression.
///
/// A hash table with chains, whose latest entries can be removed again when a record turns out not to fit.
struct LabelTable {
    /// A label that has been written.
    private struct Entry {
        /// The offset of its length byte.
        let offset: UInt16

        /// The offset of the rest of the name; 0 for the root.
        let rest: UInt16

        /// The previous entry in the same bucket, counted from 1; 0 for none.
        let previous: UInt16

        /// The bucket that it is in.
        let bucket: UInt8
    }

    /// The latest entry of each bucket, counted from 1; 0 for none.
    private var buckets = [UInt16](repeating: 0, count: 128)

    private var entries: [Entry] = []

    init() {
        entries.reserveCapacity(32)
    }

    /// Returns the offset of this label where exactly this rest of the name follows; `nil` if there is none.
    ///
    /// The comparison is case-sensitive, so that names keep exactly the bytes that they have.
    func offset(of label: ArraySlice<UInt8>, rest: UInt16, in message: [UInt8]) -> UInt16? {
        var index = Int(buckets[Self.bucket(of: label, rest: rest)])
        while index > 0 {
            let entry = entries[index - 1]
            if entry.rest == rest, Self.stands(label, at: Int(entry.offset), in: message) { return entry.offset }
            index = Int(entry.previous)
        }
        return nil
    }

    /// Records the offset of a label.
    mutating func insert(_ label: ArraySlice<UInt8>, rest: UInt16, at offset: UInt16) {
        let bucket = Self.bucket(of: label, rest: rest)
        let previous = buckets[bucket]
        entries.append(
            Entry(offset: offset, rest: rest, previous: previous, bucket: UInt8(truncatingIfNeeded: bucket))
        )
        buckets[bucket] = UInt16(truncatingIfNeeded: entries.count)
    }

    /// Removes the labels at this offset and after it.
    mutating func forget(from offset: Int) {
        while let last = entries.last, last.offset >= offset {
            buckets[Int(last.bucket)] = last.previous
            entries.removeLast()
        }
    }

    private static func bucket(of label: ArraySlice<UInt8>, rest: UInt16) -> Int {
        var hash = UInt32(rest) &* 0x9E37_79B1
        for byte in label { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return Int(hash >> 25)
    }

    private static func stands(_ label: ArraySlice<UInt8>, at offset: Int, in message: [UInt8]) -> Bool {
        guard Int(message[offset]) == label.count else { return false }
        var position = offset
        for byte in label {
            position += 1
            guard message[position] == byte else { return false }
        }
        return true
    }
}
