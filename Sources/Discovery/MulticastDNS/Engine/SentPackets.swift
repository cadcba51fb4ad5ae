/// The packets that were sent last, so that they are recognized when the system hands them back.
///
/// The source does not distinguish them: other programs of this host have the same address and port.
struct SentPackets {
    /// The highest number of packets that are on their way at once.
    private static let capacity = 64

    private var hashes: [Int] = []

    /// The index in `hashes` at which the next packet is entered.
    private var next = 0

    /// Records that a packet is sent.
    mutating func insert(_ packet: [UInt8]) {
        if hashes.count < Self.capacity {
            hashes.append(packet.hashValue)
        } else {
            hashes[next] = packet.hashValue
        }
        next = (next + 1) % Self.capacity
    }

    /// Removes a packet, since each counts once.
    ///
    /// - Returns: Whether the packet was one of those that were sent.
    mutating func remove(_ packet: [UInt8]) -> Bool {
        guard !hashes.isEmpty, let index = hashes.firstIndex(of: packet.hashValue) else { return false }
        // The entry is overwritten, not removed, so that the order in which entries are replaced stays the same.
        hashes[index] = 0
        return true
    }
}
