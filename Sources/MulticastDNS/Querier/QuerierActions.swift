internal import DNSSD

/// The actions that a ``Querier`` asks for.
struct QuerierActions {
    /// Packets to send to the group of its link, in order.
    var packets: [[UInt8]] = []

    /// The events that browses are to be told of.
    var events: [QuerierEvent] = []
}

/// One browse that is going on.
struct BrowseID: RawRepresentable, Hashable, Sendable, Comparable {
    let rawValue: Int

    static func < (lhs: BrowseID, rhs: BrowseID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Something that a ``Querier`` has learned, and the browses that want to know.
enum QuerierEvent: Hashable, Sendable {
    /// An instance is seen, or what is known of it is new.
    case sighted(Sighting, [BrowseID])

    /// An instance is no longer seen on this link.
    case vanished(ServiceInstance, ServicePath, LossReason, [BrowseID])

    /// Something every browse should know.
    case warning(BackendWarning)
}
