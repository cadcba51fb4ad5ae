public import DNSSD

/// How a ``Browser`` is, apart from the services that it sees.
public struct BrowserCondition: Hashable, Sendable {
    /// How the backend is.
    public var status: BackendStatus

    /// What the user should know, in the order in which it came up.
    public var warnings: [BackendWarning]
}
