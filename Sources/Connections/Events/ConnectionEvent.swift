public import Constellation
public import DNSSD
public import GatewayProtocol
public import PairingStore

/// An element of ``Connections/events``.
public enum ConnectionEvent: Hashable, Sendable {
    /// All sessions: first of all, whenever the reader was too slow to get every change, and when none is kept any more.
    case snapshot([SessionSnapshot])

    /// A session has another state, or is a new one.
    case changed(SessionSnapshot)

    /// A credential is not kept any more: it is unpaired, revoked or forgotten.
    case removed(CredentialID)

    /// The word of the sessions with an endpoint on whether it lives, and the time that its last answer took; `nil` when the
    /// last of them has ended. A scanner is told with `Scanner.noteSession`.
    case liveness(Endpoint, Liveness?, roundTrip: Duration?)

    /// The leaf that an endpoint has proved to be a paired gateway with. A scanner is told with `Scanner.pin`.
    case pinned(Endpoint, LeafFingerprint)
}
