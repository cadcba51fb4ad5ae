/// The status of a backend.
public enum BackendStatus: Hashable, Sendable {
    /// On its way to the daemon or the network; nothing is known to be wrong.
    case starting

    /// At work.
    case running

    /// Cannot work now, for this reason; it tries again by itself.
    case unavailable(BackendError)
}

/// The activity of a backend: whether it is still about to tell more, as far as it knows. A single look at the network
/// waits while it is.
public enum BackendActivity: Hashable, Sendable {
    /// It is asking, and has not had all answers.
    case busy

    /// Nothing is being asked, but more is to be expected until then: a question will be repeated, and so many services
    /// answered the last time that answers may have been lost.
    case expecting(until: ContinuousClock.Instant)

    /// Nothing more is known to come.
    case idle
}
