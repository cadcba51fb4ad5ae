/// The state of a publication.
public enum PublicationState: Hashable, Sendable {
    /// On its way: being probed for (RFC 6762 §8.1), or waiting for the daemon for the reason given.
    case publishing(waitingFor: BackendError?)

    /// Visible on the network under this instance name.
    case published(name: String)

    /// The name `from` is another's; `to` is being claimed instead. ``published(name:)`` follows when it stuck.
    case renamed(from: String, to: String)

    /// Taken back, as it was asked to be. Nothing is visible.
    case withdrawn

    /// Given up, for this reason. Nothing is visible.
    case failed(BackendError)
}
