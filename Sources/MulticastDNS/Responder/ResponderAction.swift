internal import DNSMessages
internal import DNSSD
internal import EventLoops

/// An action that a ``Responder`` asks for.
enum ResponderAction: Hashable, Sendable {
    /// Send a packet from port 5353 of a path: to its group, or to whoever asked.
    case send([UInt8], on: ServicePath, to: SocketAddress)

    /// Tell where a publication stands.
    case report(PublicationID, PublicationState)

    /// Tell something that every user of the engine should know.
    case warn(BackendWarning)
}

/// A message that has arrived.
struct ResponderPacket: Sendable {
    /// The decoded message.
    let message: DNSMessage

    /// The address and port that sent it.
    let source: SocketAddress

    /// The path on which it came in.
    let path: ServicePath
}
