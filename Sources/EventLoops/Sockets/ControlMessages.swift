internal import Glibc

/// The information that the system gives about a packet beside its bytes (`cmsg(3)`), read from the bytes of a control
/// buffer.
///
/// The macros of C do not come over, so that this walks the buffer itself: each message is a length of the machine's
/// word, level and type of 32 bits, and data; the next one begins at the next multiple of the word.
struct ControlMessages {
    /// The index of the interface; 0 if it is not told.
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
        // The address stands before the interface.
        case (CInt(IPPROTO_IPV6), IPV6_PKTINFO):
            interface = UInt32(truncatingIfNeeded: Self.number(data.dropFirst(16).prefix(4)))
        case (CInt(IPPROTO_IP), IP_TTL), (CInt(IPPROTO_IPV6), IPV6_HOPLIMIT):
            hopLimit = UInt8(truncatingIfNeeded: first)
        default: break
        }
    }

    /// A number in the order of this machine.
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var value: UInt64 = 0
        for (index, byte) in bytes.enumerated() { value |= UInt64(byte) << UInt64(8 * index) }
        return value
    }
}
