/// An event that a backend reports to a browser.
public enum BrowseEvent: Hashable, Sendable {
    /// An instance was seen on a path, or what is known of it there is new. Replaces the former sighting.
    case sighted(Sighting)

    /// An instance is no longer seen on a path.
    case vanished(ServiceInstance, ServicePath, LossReason)

    /// The backend itself works, waits or is in trouble.
    case status(BackendStatus)

    /// The backend is about to tell more, or not.
    case activity(BackendActivity)

    /// Something the user should know; browsing goes on.
    case warning(BackendWarning)

    /// So much was lost since it was last told.
    case losses(BackendLosses)
}
