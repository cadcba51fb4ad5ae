package import DNSSD

/// What a ``OneShotQuery`` wants done.
package enum OneShotAction: Hashable, Sendable {
    /// Send a packet to the group of the path, from the path's own port.
    case send([UInt8], on: ServicePath)

    /// Look which links there are, and tell the query.
    case lookForLinks
}
