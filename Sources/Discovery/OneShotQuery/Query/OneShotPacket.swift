package import DNSSD

/// A packet that came to one of the ports of a ``OneShotQuery``.
package struct OneShotPacket: Hashable, Sendable {
    /// The payload of the packet.
    package let bytes: [UInt8]

    /// The address that sent the packet.
    package let source: IPAddress

    /// The port that sent the packet.
    package let port: UInt16

    /// The index of the interface that the packet came in through; 0 if the system did not report it.
    package let interface: UInt32
}
