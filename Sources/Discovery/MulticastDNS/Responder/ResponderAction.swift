internal import DNSSD
internal import HostSystem

/// An action that a ``Responder`` requests.
enum ResponderAction: Hashable, Sendable {
    /// Send a packet from port 5353 of a path, to its group or to the querier.
    case send([UInt8], on: ServicePath, to: SocketAddress)

    /// Report the state of a publication.
    case report(PublicationID, PublicationState)

    /// Report a warning to every user of the engine.
    case warn(BackendWarning)
}

/// A message that has arrived.
struct ResponderPacket: Sendable {
    /// The decoded message, as far as it could be read.
    let received: DNSReceivedMessage

    /// The address and port that sent it.
    let source: SocketAddress

    /// The path on which the message arrived.
    let path: ServicePath

    var message: DNSMessage { received.message }
}
