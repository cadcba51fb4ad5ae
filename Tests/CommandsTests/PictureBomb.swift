/// A PNG whose pixels are all black, and which is much smaller than they are.
enum PictureBomb {
    /// Returns a whole PNG of a square with 8-bit grey pixels.
    static func png(side: Int) -> [UInt8] {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header = number(side) + number(side) + [8, 0, 0, 0, 0]
        // Each row begins with the number of its filter.
        return signature + chunk("IHDR", header) + chunk("IDAT", zeros((side + 1) * side)) + chunk("IEND", [])
    }

    /// Returns zeros as zlib (RFC 1950): one block with fixed codes (RFC 1951 §3.2.6), in which a zero is followed by
    /// repetitions of 258 bytes.
    private static func zeros(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x78, 0x01]
        var (bits, length): (UInt64, UInt64) = (0, 0)
        func put(_ value: UInt64, _ size: UInt64) {
            bits |= value << length
            length += size
            while length >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                length -= 8
            }
        }
        // The last block, with fixed codes. Codes are written from their highest bit.
        put(0b011, 3)
        let zero: UInt64 = 0b0000_1100
        put(zero, 8)
        for _ in 0..<(count - 1) / 258 {
            // The length code 285 and the distance code 0.
            put(0b0_0000_1010_0011, 13)
        }
        for _ in 0..<(count - 1) % 258 { put(zero, 8) }
        put(0, 7)
        put(0, (8 - length) % 8)
        return bytes + number((count % 65_521) << 16 | 1)
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let bytes = Array(type.utf8) + content
        var sum = UInt32.max
        for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
        return number(content.count) + bytes + number(Int(~sum))
    }

    /// The remainders of the sum of a chunk (PNG, annex D).
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
