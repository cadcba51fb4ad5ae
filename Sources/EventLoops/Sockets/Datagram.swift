internal import DNSSD

/// A packet that has arrived.
package struct Datagram: Hashable, Sendable {
    /// The payload of the packet.
    package let bytes: [UInt8]

    /// The address and port of the sender; a link-local address has the interface of the packet as its scope.
    package let source: SocketAddress

    /// The index of the interface that it came in through; 0 if the system did not say.
    package let interface: UInt32

    /// The number of hops that were left to the packet: 255 if it came through no router. `nil` if the system did not
    /// say.
    package let hopLimit: UInt8?
}
