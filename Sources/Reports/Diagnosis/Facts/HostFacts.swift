package import DNSSD
package import HostSystem

/// The facts that this host knows about the ways to other hosts, at one moment.
package struct HostFacts: Sendable {
    /// The networks that Docker and Podman give to containers unless told otherwise.
    private static let usual = [
        InterfaceAddress(address: .v4(IPv4Address(bits: 0xAC11_0000)), prefixLength: 16),
        InterfaceAddress(address: .v4(IPv4Address(bits: 0x0A58_0000)), prefixLength: 16),
    ]

    private let interfaces: [HostInterface]
    private let neighbours: NeighbourTable
    private let listeners: [Endpoint]
    private let hasRoute: @Sendable (IPAddress) -> Bool

    /// Creates facts.
    ///
    /// - Parameters:
    ///   - interfaces: The interfaces of this host.
    ///   - neighbours: The neighbours that it knows.
    ///   - listeners: The addresses at which its programs listen.
    ///   - hasRoute: Returns whether a route leads to an address.
    package init(
        interfaces: [HostInterface],
        neighbours: NeighbourTable,
        listeners: [Endpoint],
        hasRoute: @escaping @Sendable (IPAddress) -> Bool
    ) {
        self.interfaces = interfaces
        self.neighbours = neighbours
        self.listeners = listeners
        self.hasRoute = hasRoute
    }

    /// The facts as they are now.
    package static var current: HostFacts {
        HostFacts(
            interfaces: HostInterface.all,
            neighbours: .current,
            listeners: ListeningSockets.current,
            hasRoute: { Route.leading(to: $0) != nil }
        )
    }

    /// Indicates whether it is connected to a network.
    package var hasNetwork: Bool { interfaces.contains { $0.isOnNetwork && !$0.addresses.isEmpty } }

    /// Returns what is known of the machine at an address.
    package func neighbour(at address: IPAddress) -> PlaceFacts.Neighbour {
        if isOwn(address) { return .ownHost }
        guard hasRoute(address) else { return .noRoute }
        let onLink = interfaces.contains { interface in
            !interface.flags.contains(.pointToPoint)
                && interface.addresses.contains { !$0.address.isLinkLocal && $0.contains(address.unmapped) }
        }
        guard onLink || address.isLinkLocal else { return .beyond }
        return neighbours.hardwareAddress(of: address) == nil ? .unknown : .known
    }

    /// Returns the addresses at which programs of this host listen at a port, if an address is this host's own.
    package func listeners(at endpoint: Endpoint) -> [Endpoint] {
        isOwn(endpoint.address) ? listeners.filter { $0.port == endpoint.port } : []
    }

    /// Indicates whether an address is in a network of containers: one of this host, or a usual one that this host is not
    /// itself in.
    package func isOfContainers(_ address: IPAddress) -> Bool {
        interfaces.areOfContainers(around: address) ?? Self.usual.contains { $0.contains(address.unmapped) }
    }

    /// Returns the name of the interface of this host, in a network of containers, that has an address; `nil` if none has.
    package func containerInterface(of address: IPAddress) -> String? {
        let address = address.unmapped
        return interfaces.first { interface in
            interface.isOfContainers && interface.addresses.contains { $0.address.unmapped == address }
        }?.interface.name
    }

    private func isOwn(_ address: IPAddress) -> Bool {
        let address = address.unmapped
        return address.isLoopback || interfaces.contains { $0.addresses.contains { $0.address.unmapped == address } }
    }
}
