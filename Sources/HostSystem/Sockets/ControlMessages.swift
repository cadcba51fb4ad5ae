internal import Glibc

/// The control messages (`cmsg(3)`) in which the system reports more about a packet than its bytes, read from the bytes
/// of a control buffer.
///
/// C's macros are not imported into Swift, so this type walks the buffer itself: each message consists of a length (one
/// machine word), a level and a type (32 bits each), and data; the next message begins at the next multiple of the word
/// size.
struct ControlMessages {
    /// The index of the interface; 0 if it is not reported.
    private(set) var interface: UInt32 = 0

    /// The TTL or hop limit.
    private(set) var hopLimit: UInt8?

    init(_ bytes: ArraySlice<UInt8>) {
        let word = MemoryLayout<Int>.size
        let header = word + 8
        var rest = bytes
        while rest.count >= header {
            let length = Int(truncatingIfNeeded: Self.number(rest.prefix(word)))
            guard length >= header, length <= rest.count else { return }
            let level = CInt(truncatingIfNeeded: Self.number(rest.dropFirst(word).prefix(4)))
            let type = CInt(truncatingIfNeeded: Self.number(rest.dropFirst(word + 4).prefix(4)))
            take(level, type, rest.prefix(length).dropFirst(header))
            rest = rest.dropFirst((length + word - 1) / word * word)
        }
    }

    private mutating func take(_ level: CInt, _ type: CInt, _ data: ArraySlice<UInt8>) {
        let first = UInt32(truncatingIfNeeded: Self.number(data.prefix(4)))
        switch (level, type) {
        case (CInt(IPPROTO_IP), IP_PKTINFO): interface = first
        // The address comes before the interface.
        case (CInt(IPPROTO_IPV6), IPV6_PKTINFO):
            interface = UInt32(truncatingIfNeeded: Self.number(data.dropFirst(16).prefix(4)))
        case (CInt(IPPROTO_IP), IP_TTL), (CInt(IPPROTO_IPV6), IPV6_HOPLIMIT):
            hopLimit = UInt8(truncatingIfNeeded: first)
        default: break
        }
    }

    /// Returns the number in these bytes, the lowest byte first.
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var value: UInt64 = 0
        for (index, byte) in bytes.enumerated() { value |= UInt64(byte) << UInt64(8 * index) }
        return value
    }
}
