internal import DNSSD

/// A packet that has arrived.
struct Datagram: Hashable, Sendable {
    /// What is in it.
    let bytes: [UInt8]

    /// Who sent it; a link-local address has the interface of the packet as its scope.
    let source: SocketAddress

    /// The index of the interface that it came in through; 0 if the system did not say.
    let interface: UInt32

    /// How many hops it may still have made: 255 when no router was in between. `nil` if the system did not say.
    let hopLimit: UInt8?
}
