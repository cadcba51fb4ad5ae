internal import DNSMessages
internal import DNSSD

/// A message that has arrived.
struct ResponderPacket: Sendable {
    /// What it says.
    let message: DNSMessage

    /// Who sent it.
    let source: SocketAddress

    /// Where it came in.
    let path: ServicePath
}
