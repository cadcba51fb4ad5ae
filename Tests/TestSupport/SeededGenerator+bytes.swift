extension SeededGenerator {
    /// Returns up to `limit` random bytes of one of several kinds: any bytes, printable ones, or small ones that look
    /// like lengths.
    package mutating func bytes(upTo limit: Int) -> [UInt8] {
        let count = Int(next() % UInt64(limit + 1))
        let kind = next() % 3
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var word: UInt64 = 0
        for index in 0..<count {
            word = index & 7 == 0 ? next() : word >> 8
            let byte = UInt8(truncatingIfNeeded: word)
            switch kind {
            case 0: bytes.append(byte)
            case 1: bytes.append(0x20 + byte % 0x5F)
            default: bytes.append(byte & 0x0F)
            }
        }
        return bytes
    }

    /// Returns the bytes with a few changes: bits flipped, bytes replaced, removed or doubled, or the end cut off.
    package mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...next() % 3 where !bytes.isEmpty {
            let index = Int(next() % UInt64(bytes.count))
            switch next() % 5 {
            case 0: bytes[index] ^= 1 << UInt8(next() % 8)
            case 1: bytes[index] = UInt8(truncatingIfNeeded: next())
            case 2: bytes.remove(at: index)
            case 3: bytes.insert(bytes[index], at: index)
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }
}
