internal import DNSMessages
internal import DNSSD
internal import EventLoops

/// A message that has arrived.
struct ResponderPacket: Sendable {
    /// The decoded message.
    let message: DNSMessage

    /// The address and port that sent it.
    let source: SocketAddress

    /// The path on which it came in.
    let path: ServicePath
}
