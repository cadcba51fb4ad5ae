package import DNSSD

/// An action that a ``OneShotQuery`` wants done.
package enum OneShotAction: Hashable, Sendable {
    /// Send a packet to the group of the path, from the path's own port.
    case send([UInt8], on: ServicePath)

    /// Send a packet to the group of the path, from port 5353, and hear what is said to the group there.
    case multicast([UInt8], on: ServicePath)

    /// Hear what is said to the group of the path.
    case hear(on: ServicePath)

    /// Do not hear the groups any more.
    case stopHearing
}
