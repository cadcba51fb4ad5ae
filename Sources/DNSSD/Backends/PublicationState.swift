/// The state of a publication.
@nonexhaustive
public enum PublicationState: Hashable, Sendable {
    /// In progress: probing for the name (RFC 6762 §8.1), or waiting for the daemon for the reason given.
    case publishing(waitingFor: BackendError?)

    /// Visible on the network under this instance name.
    case published(name: String)

    /// The name `from` belongs to another host; `to` is being claimed instead. ``published(name:)`` follows once that
    /// succeeds.
    case renamed(from: String, to: String)

    /// Withdrawn on request. Nothing is visible.
    case withdrawn

    /// Given up, for this reason. Nothing is visible.
    case failed(BackendError)
}
