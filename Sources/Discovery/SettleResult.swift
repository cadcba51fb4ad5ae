public import DNSSD

/// The reason why ``Browser/settle(quiet:patience:deadline:)`` returned.
public enum SettleResult: Hashable, Sendable {
    /// Nothing new has come for a while, and nothing is being resolved.
    case settled

    /// The deadline has passed, or the task was cancelled.
    case deadline

    /// The backend has been unavailable for as long as the caller was willing to wait for it.
    case unavailable(BackendError)
}
