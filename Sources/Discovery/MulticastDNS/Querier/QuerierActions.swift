internal import DNSSD

/// The actions that a ``Querier`` requests.
struct QuerierActions {
    /// Packets to send to the group of its link, in order.
    var packets: [[UInt8]] = []

    /// The events to report to browses.
    var events: [QuerierEvent] = []
}

/// The identity of an active browse.
struct BrowseID: RawRepresentable, Hashable, Sendable, Comparable {
    let rawValue: Int

    static func < (lhs: BrowseID, rhs: BrowseID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A change that a ``Querier`` has found, and the browses to report it to.
enum QuerierEvent: Hashable, Sendable {
    /// An instance is seen, or something about it has changed.
    case sighted(Sighting, [BrowseID])

    /// An instance is no longer seen on this link.
    case vanished(ServiceInstance, ServicePath, LossReason, [BrowseID])

    /// A warning for every browse.
    case warning(BackendWarning)
}
