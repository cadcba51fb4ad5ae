/// The numbers of packets and entries that were lost because they came too fast or there was no room for them. On a
/// healthy network both are zero.
package struct BackendLosses: Hashable, Sendable {
    /// The number of packets that the system dropped before they were read, or discarded as damaged. A packet that
    /// arrives at several sockets counts once for each socket that loses it.
    package var packets: Int

    /// The number of times that a service, or a record of one, was evicted or refused for lack of room. The same
    /// service counts again each time that it is refused, on each interface, and in each component that had no room for
    /// it.
    package var entries: Int

    /// Creates a count of lost packets and entries; by default, nothing is lost.
    package init(packets: Int = 0, entries: Int = 0) {
        self.packets = packets
        self.entries = entries
    }

    /// Indicates whether nothing was lost.
    package var isEmpty: Bool { packets == 0 && entries == 0 }

    /// Returns the sums of the packets and of the entries.
    package static func + (left: BackendLosses, right: BackendLosses) -> BackendLosses {
        BackendLosses(packets: left.packets + right.packets, entries: left.entries + right.entries)
    }
}
