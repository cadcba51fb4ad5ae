/// The numbers of packets and entries that were lost, since they came too fast or there was no room for them. Zero is
/// what a sane network brings.
public struct BackendLosses: Hashable, Sendable {
    /// The number of packets that the system dropped before they were read, or found broken: one that comes to several
    /// sockets is lost at each.
    public var packets: Int

    /// The number of times that a service, or a record of one, was given up or not taken in for lack of room. The same
    /// one counts anew each time that it comes, on each interface, and with each part that had no room for it.
    public var entries: Int

    public init(packets: Int = 0, entries: Int = 0) {
        self.packets = packets
        self.entries = entries
    }

    /// Indicates whether nothing was lost.
    public var isEmpty: Bool { packets == 0 && entries == 0 }

    public static func + (left: BackendLosses, right: BackendLosses) -> BackendLosses {
        BackendLosses(packets: left.packets + right.packets, entries: left.entries + right.entries)
    }
}
