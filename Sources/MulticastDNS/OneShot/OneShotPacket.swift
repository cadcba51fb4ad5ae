package import DNSSD

/// A packet that came to one of the ports of a ``OneShotQuery``.
package struct OneShotPacket: Hashable, Sendable {
    /// What is in it.
    package let bytes: [UInt8]

    /// Who sent it.
    package let source: IPAddress

    /// From which port.
    package let port: UInt16

    /// The index of the interface that it came in through; 0 if the system did not say.
    package let interface: UInt32

    package init(bytes: [UInt8], source: IPAddress, port: UInt16, interface: UInt32) {
        self.bytes = bytes
        self.source = source
        self.port = port
        self.interface = interface
    }
}
