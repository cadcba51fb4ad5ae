/// The data of an NSEC record: the types that a name has (RFC 4034 §4). In multicast DNS the next name is the name
/// itself (RFC 6762 §6.1).
package struct NSECData: Hashable, Sendable {
    /// The next name of the zone.
    package let nextName: DomainName

    /// The bitmaps of the types, in windows of 256 types (RFC 4034 §4.1.2): the number of the window, a length of 1–32,
    /// and the bits.
    package let bitmaps: [UInt8]

    /// Creates data from bitmaps that have been checked.
    init(nextName: DomainName, checkedBitmaps: [UInt8]) {
        self.nextName = nextName
        self.bitmaps = checkedBitmaps
    }

    /// Creates the data of a name that has exactly these types.
    package init(nextName: DomainName, types: some Sequence<DNSRecordType>) {
        var bitmaps: [UInt8] = []
        /// The index of the last window's length byte.
        var lengthIndex = 0
        for type in Set(types).sorted() {
            let window = UInt8(truncatingIfNeeded: type.rawValue >> 8)
            if bitmaps.isEmpty || bitmaps[lengthIndex - 1] != window {
                lengthIndex = bitmaps.count + 1
                bitmaps += [window, 0]
            }
            let octet = type.rawValue >> 3 & 0x1F
            while bitmaps[lengthIndex] <= UInt8(octet) {
                bitmaps[lengthIndex] += 1
                bitmaps.append(0)
            }
            bitmaps[bitmaps.count - 1] |= 0x80 >> UInt8(type.rawValue & 7)
        }
        self.init(nextName: nextName, checkedBitmaps: bitmaps)
    }

    /// Indicates whether the name has records of this type.
    package func contains(_ type: DNSRecordType) -> Bool {
        var position = 0
        while position + 1 < bitmaps.count {
            let (window, length) = (bitmaps[position], Int(bitmaps[position + 1]))
            let octet = Int(type.rawValue >> 3 & 0x1F)
            if UInt16(window) == type.rawValue >> 8 {
                return octet < length && bitmaps[position + 2 + octet] & 0x80 >> UInt8(type.rawValue & 7) != 0
            }
            position += 2 + length
        }
        return false
    }

    /// The types that the name has, in order.
    package var types: [DNSRecordType] {
        var types: [DNSRecordType] = []
        var position = 0
        while position + 1 < bitmaps.count {
            let (window, length) = (UInt16(bitmaps[position]), Int(bitmaps[position + 1]))
            for (octet, bits) in bitmaps[(position + 2)...].prefix(length).enumerated() {
                for bit in 0..<UInt16(8) where bits & 0x80 >> UInt8(bit) != 0 {
                    types.append(DNSRecordType(rawValue: window << 8 | UInt16(octet) << 3 | bit))
                }
            }
            position += 2 + length
        }
        return types
    }
}
