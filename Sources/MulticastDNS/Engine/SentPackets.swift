/// The packets that were sent last, so that they are known when the system hands them back.
///
/// The source address does not tell: other programs of this host have the same address and port.
struct SentPackets {
    /// So many at most are on their way at once.
    private static let capacity = 64

    private var hashes: [Int] = []

    /// The index in `hashes` at which the next packet is entered.
    private var next = 0

    /// Notes that a packet goes out.
    mutating func insert(_ packet: [UInt8]) {
        if hashes.count < Self.capacity {
            hashes.append(packet.hashValue)
        } else {
            hashes[next] = packet.hashValue
        }
        next = (next + 1) % Self.capacity
    }

    /// Returns whether a packet is one of these, and forgets it: each counts once.
    mutating func remove(_ packet: [UInt8]) -> Bool {
        guard !hashes.isEmpty, let index = hashes.firstIndex(of: packet.hashValue) else { return false }
        // Another value takes its place, so that the order in which they are replaced stays.
        hashes[index] = 0
        return true
    }
}
