/// The reason why a path of a service is gone, or with its last path the service itself.
public enum LossReason: String, Hashable, Sendable, CaseIterable {
    /// The service sent a goodbye packet (RFC 6762 §10.1), or its records expired: a daemon does not report which.
    case withdrawn

    /// The interface through which the service was seen went down or was removed.
    case interfaceDown

    /// The daemon is back after a restart, but no longer lists the service.
    case missingAfterRestart

    /// Only our own queries found the service, never the backend, and the service left two checks in a row unanswered.
    case unanswered

    /// Nobody browses for the service's type and domain any more.
    case notBrowsed
}
