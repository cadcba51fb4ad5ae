/// Whether a backend is still about to tell more, as far as it knows: what a single look at the network waits for.
public enum BackendActivity: Hashable, Sendable {
    /// It is asking, and has not had all answers.
    case busy

    /// Nothing is being asked, but more is to be expected until then: a question will be repeated, and so many services
    /// answered the last time that answers may have been lost.
    case expecting(until: ContinuousClock.Instant)

    /// Nothing more is known to come.
    case idle
}
