/// The status of a backend.
@nonexhaustive
public enum BackendStatus: Hashable, Sendable {
    /// Connecting to the daemon or starting on the network; no problem is known.
    case starting

    /// Working.
    case running

    /// Unable to work for this reason; the backend tries again by itself.
    case unavailable(BackendError)
}

/// The activity of a backend: whether, as far as it knows, more reports are on their way. A one-time scan of the
/// network waits for them.
package enum BackendActivity: Hashable, Sendable {
    /// Queries are under way, and some answers are still missing.
    case busy

    /// No query is under way, but more answers can be expected until this time: a query will be repeated, and the last
    /// one was answered by so many services that some answers may have been lost.
    case expecting(until: ContinuousClock.Instant)

    /// Nothing more is expected.
    case idle
}
