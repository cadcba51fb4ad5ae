public import DNSSD

/// The condition of a ``Browser``, apart from the services that it sees.
public struct BrowserCondition: Hashable, Sendable {
    /// The status of the backend.
    public var status: BackendStatus

    /// The warnings that the user should know of, in the order in which they came up.
    package var warnings: [BackendWarning]
}
