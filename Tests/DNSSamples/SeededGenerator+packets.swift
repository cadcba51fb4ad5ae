package import TestSupport

extension SeededGenerator {
    /// Returns a packet with random changes, most of them to counts, lengths and pointers, where decoders are most
    /// likely to fail.
    package mutating func mutatePacket(_ packet: [UInt8]) -> [UInt8] {
        var packet = packet
        for _ in 0...next() % 3 where packet.count > 12 {
            let index = Int(next() % UInt64(packet.count))
            switch next() % 6 {
            case 0:
                // A count of the header.
                packet[4 + Int(next() % 8)] = UInt8(truncatingIfNeeded: next())
            case 1:
                packet[index] = 0xC0 | UInt8(truncatingIfNeeded: next() & 1)
            case 2:
                packet[index] = UInt8(truncatingIfNeeded: next() & 0x3F)
            case 3:
                // Bytes of one position are copied to another.
                let other = Int(next() % UInt64(packet.count))
                let count = min(Int(next() % 16), packet.count - max(index, other))
                for offset in 0..<count { packet[index + offset] = packet[other + offset] }
            default:
                packet = mutate(packet)
            }
        }
        return packet
    }
}
