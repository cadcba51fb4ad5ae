/// The reason why a path, or with its last path a service, is gone.
public enum LossReason: String, Hashable, Sendable, CaseIterable {
    /// It said goodbye (RFC 6762 §10.1), or its records ran out: a daemon does not tell which.
    case withdrawn

    /// The interface through which it was seen went down or away.
    case interfaceDown

    /// The daemon came back after a restart, and the service did not.
    case missingAfterRestart

    /// The backend never saw it, and twice in a row nobody answered when it was asked for.
    case unanswered

    /// Nobody looks for its type in its domain any more.
    case notBrowsed
}
