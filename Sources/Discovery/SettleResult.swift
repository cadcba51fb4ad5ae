public import DNSSD

/// The reason why ``Browser/settle(quiet:patience:deadline:)`` returned.
public enum SettleResult: Hashable, Sendable {
    /// Nothing new has come for a while, and nothing is being resolved.
    case settled

    /// The deadline has passed, or the task was cancelled.
    case deadline

    /// The backend has not been available for as long as it was to be waited for.
    case unavailable(BackendError)
}
