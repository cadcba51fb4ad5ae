internal import DNSSD

/// Something that a ``Querier`` has learned, and the browses that want to know.
enum QuerierEvent: Hashable, Sendable {
    /// An instance is seen, or what is known of it is new.
    case sighted(Sighting, [BrowseID])

    /// An instance is no longer seen on this link.
    case vanished(ServiceInstance, ServicePath, LossReason, [BrowseID])

    /// Something every browse should know.
    case warning(BackendWarning)
}
