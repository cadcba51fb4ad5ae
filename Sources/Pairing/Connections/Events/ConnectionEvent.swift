/// An element of ``Connections/events``.
@nonexhaustive
public enum ConnectionEvent: Hashable, Sendable {
    /// All sessions: as the first element, whenever the reader was too slow to get every change, and when no session is
    /// kept any more.
    case snapshot([SessionSnapshot])

    /// A session has changed its state, or is a new one.
    case changed(SessionSnapshot)

    /// A credential has no session any more: it is unpaired, revoked or forgotten.
    case removed(CredentialID)
}
