package import DNSSD

/// An action that a ``OneShotQuery`` requests.
package enum OneShotAction: Hashable, Sendable {
    /// Send a packet to the group of the path, from the path's own port.
    case send([UInt8], on: ServicePath)

    /// Send a packet to the group of the path, from port 5353, and listen to the group there.
    case multicast([UInt8], on: ServicePath)

    /// Listen to the group of the path.
    case listen(on: ServicePath)

    /// Stop listening to the groups.
    case stopListening
}
