/// An event that a backend reports to a browser.
public enum BrowseEvent: Hashable, Sendable {
    /// An instance was seen on a path, or something about it there has changed. Replaces the previous sighting.
    case sighted(Sighting)

    /// An instance is no longer seen on a path.
    case vanished(ServiceInstance, ServicePath, LossReason)

    /// The backend's own status has changed.
    case status(BackendStatus)

    /// The backend expects more to report, or no longer does.
    case activity(BackendActivity)

    /// A problem that the user should know about; browsing goes on.
    case warning(BackendWarning)

    /// The packets and entries lost since the last report of losses.
    case losses(BackendLosses)
}
