/// A choice of the backend that does the work of browsing and publishing.
public enum BackendChoice: String, Hashable, Sendable, CaseIterable {
    /// avahi-daemon while there is one, and our own engine while there is none.
    case auto

    /// The system's avahi-daemon, and nothing without it.
    case avahi

    /// The daemon behind libdns_sd, whether Avahi's or Apple's, and nothing without it.
    case bonjour

    /// Our own engine, whatever else runs on this host.
    case embedded
}
