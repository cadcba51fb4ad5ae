package import DNSSD

/// A way by which packets leave this host, as the kernel's routing table has it at one moment.
package struct Route: Hashable, Sendable {
    /// The index of the interface.
    package let interface: UInt32

    /// The router that the packets are handed to; `nil` where the destination is on the link itself.
    package let router: IPAddress?

    /// The address of this host that packets are sent from, where the kernel says so.
    package let source: IPAddress?

    /// Indicates whether the destination is this host itself.
    package let isOwnHost: Bool

    /// The rank among routes to the same destination; the lowest is taken.
    package let metric: UInt32

    package init(
        interface: UInt32,
        router: IPAddress?,
        source: IPAddress? = nil,
        isOwnHost: Bool = false,
        metric: UInt32 = 0
    ) {
        self.interface = interface
        self.router = router
        self.source = source
        self.isOwnHost = isOwnHost
        self.metric = metric
    }

    /// The way that a packet to an address takes now, by the kernel's own decision; `nil` when there is none, or the system
    /// does not tell.
    package static func leading(to address: IPAddress) -> Route? {
        var reader = RouteReader(.destination)
        let sequence = UInt32(1)
        let request = RouteReader.request(to: address.unmapped, sequence: sequence)
        guard NetlinkSocket.ask(request, { reader.take($0, sequence: sequence) }) else { return nil }
        return reader.routes.first
    }

    /// The default routes of the main table, of both families; `nil` when the system does not tell, or not to the end.
    package static func defaults() -> [Route]? {
        var reader = RouteReader(.defaults)
        let sequence = UInt32(1)
        let request = RouteReader.request(sequence: sequence)
        guard NetlinkSocket.ask(request, { reader.take($0, sequence: sequence) }) else { return nil }
        return reader.routes
    }
}
