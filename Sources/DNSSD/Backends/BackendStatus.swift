/// The status of a backend.
public enum BackendStatus: Hashable, Sendable {
    /// On its way to the daemon or the network; nothing is known to be wrong.
    case starting

    /// At work.
    case running

    /// Cannot work now, for this reason; it tries again by itself.
    case unavailable(BackendError)
}
