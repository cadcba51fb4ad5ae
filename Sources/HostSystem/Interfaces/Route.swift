package import DNSSD

/// A route by which packets leave this host, as it was in the kernel's routing table at one moment.
package struct Route: Hashable, Sendable {
    /// The index of the interface through which the packets leave.
    package let interface: UInt32

    /// The router to which the packets are sent; `nil` if the destination is on the link itself.
    package let router: IPAddress?

    /// The source address of the packets, if the kernel names one.
    package var source: IPAddress?

    /// Indicates whether the destination is this host itself.
    package var isOwnHost = false

    /// The priority among routes to the same destination; the lowest metric wins.
    package var metric: UInt32 = 0

    /// Returns the route that the kernel would choose now for a packet to an address; `nil` if there is none, or if the
    /// system does not provide it.
    package static func leading(to address: IPAddress) -> Route? {
        var reader = RouteReader(.destination)
        let sequence = UInt32(1)
        let request = RouteReader.request(to: address.unmapped, sequence: sequence)
        guard NetlinkSocket.ask(request, { reader.take($0, sequence: sequence) }) else { return nil }
        return reader.routes.first
    }

    /// Returns the default routes of the main table, of both families; `nil` if the system does not provide them
    /// completely.
    package static func defaults() -> [Route]? {
        var reader = RouteReader(.defaults)
        let sequence = UInt32(1)
        let request = RouteReader.request(sequence: sequence)
        guard NetlinkSocket.ask(request, { reader.take($0, sequence: sequence) }) else { return nil }
        return reader.routes
    }
}
