public import Constellation
public import DNSSD
public import GatewayProtocol
public import PairingStore

/// An element of ``Connections/events``.
public enum ConnectionEvent: Hashable, Sendable {
    /// All sessions: as the first element, whenever the reader was too slow to get every change, and when no session is
    /// kept any more.
    case snapshot([SessionSnapshot])

    /// A session has changed its state, or is a new one.
    case changed(SessionSnapshot)

    /// A credential has no session any more: it is unpaired, revoked or forgotten.
    case removed(CredentialID)

    /// The liveness of an endpoint as its sessions see it, and the time that its last answer took; `nil` when the last
    /// session has ended. Pass it to a scanner with `Scanner.noteSession`.
    case liveness(Endpoint, Liveness?, roundTrip: Duration?)

    /// The leaf with which an endpoint has proved to be a paired gateway. Pass it to a scanner with `Scanner.pin`.
    case pinned(Endpoint, LeafFingerprint)
}
