internal import DNSSD
internal import GatewayProtocol
internal import HostSystem

/// The state of this host that an observation is made from.
struct NetworkFacts {
    /// The interfaces of this host.
    let interfaces: [HostInterface]

    /// The route to the endpoint; `nil` when there is none.
    let route: Route?

    /// The default routes.
    let defaults: [Route]

    /// The neighbour table.
    let neighbours: NeighbourTable

    /// The interface that leads to the endpoint as its driver has it, if packets on it go from one point to another, as in a
    /// tunnel.
    var tunnel: NetworkDevice?

    /// Returns the addresses of those neighbours whose hardware addresses matter: the default router of the link that
    /// leads there, and the gateway if it is on that link.
    func neighbourAddresses(of address: IPAddress) -> [IPAddress] {
        guard let interface = interface(to: address) else { return [] }
        let gateway = isOnLink(interface) ? address.unmapped : nil
        return [router(on: interface), gateway].compactMap(\.self)
    }

    /// Returns the interface that leads to an address; `nil` when there is none, or when the address is this host's
    /// own.
    func interface(to address: IPAddress) -> HostInterface? {
        guard !isOwn(address), let route else { return nil }
        return interfaces.first { $0.interface.index == route.interface }
    }

    /// Indicates whether an address is this host's own.
    func isOwn(_ address: IPAddress) -> Bool {
        if address.isLoopback || route?.isOwnHost == true { return true }
        let address = address.unmapped
        return interfaces.contains { $0.addresses.contains { $0.address.unmapped == address } }
    }

    /// Indicates whether the endpoint is on the link itself, and the link has hardware addresses.
    func isOnLink(_ interface: HostInterface) -> Bool {
        route?.router == nil && !interface.flags.contains(.pointToPoint)
    }

    /// Returns the default router on a link. Of several with the best metric, it is the one with the lowest address, so
    /// that it is always the same.
    func router(on interface: HostInterface) -> IPAddress? {
        let found = defaults.filter { $0.interface == interface.interface.index && $0.router != nil }
        let families = Dictionary(grouping: found) { $0.router?.family }
        let routes = families[.ipv4] ?? families[.ipv6] ?? []
        let best = routes.map(\.metric).min()
        return routes.filter { $0.metric == best }.compactMap(\.router).min()
    }
    /// Returns the present state of this host; `nil` when the system does not report its routes.
    static func current(to address: IPAddress) -> NetworkFacts? {
        guard let defaults = Route.defaults() else { return nil }
        var facts = NetworkFacts(
            interfaces: HostInterface.all.filter { $0.flags.contains(.up) },
            route: Route.leading(to: address),
            defaults: defaults,
            neighbours: .current
        )
        if let interface = facts.interface(to: address), interface.flags.contains(.pointToPoint) {
            facts.tunnel = NetworkDevice.current(interface.interface.index)
        }
        return facts
    }

    /// Returns this host's address on the interface that leads to an address, if that may be a tailnet's: a `tun`, to which
    /// the packets go without a router. `nil` if another interface has the same address, so that it does not say which one
    /// is the tailnet's.
    func tailnetAddress(to address: IPAddress) -> IPAddress? {
        guard tunnel?.kind == "tun", let route, route.router == nil, let interface = interface(to: address),
            let own = NetworkObservation.ownAddress(on: interface, towards: address.unmapped, source: route.source)
        else { return nil }
        let holders = interfaces.filter { $0.addresses.contains { $0.address == own.address } }
        return holders.count == 1 ? own.address : nil
    }
}

extension NetworkObservation {
    /// Creates the observation of the network that leads to an address; `nil` when there is none, or the system does
    /// not report it.
    init?(to address: IPAddress, facts: NetworkFacts) {
        if facts.isOwn(address) {
            self = .ownHost
            return
        }
        guard let interface = facts.interface(to: address), let route = facts.route,
            let own = Self.ownAddress(on: interface, towards: address.unmapped, source: route.source)
        else { return nil }
        func neighbour(_ address: IPAddress?) -> Neighbour {
            guard let address else { return .none }
            let hardware = facts.neighbours.hardwareAddress(of: address, on: interface.interface)
            return hardware.map { .at($0.bytes) } ?? .unknown
        }
        self.init(
            prefix: own.network,
            prefixLength: own.prefixLength,
            router: neighbour(facts.router(on: interface)),
            gateway: facts.isOnLink(interface) ? neighbour(address.unmapped) : .none,
            tunnel: Self.tunnel(facts.tunnel, interface, own.address)
        )
    }

    /// Returns a tunnel that is distinguished from others by its name, as its driver and the list of interfaces have it.
    private static func tunnel(
        _ device: NetworkDevice?,
        _ interface: HostInterface,
        _ own: IPAddress
    ) -> NetworkTunnel? {
        guard let device, device.name == interface.interface.name,
            let kind = device.kind.flatMap(NetworkTunnel.Kind.init),
            let address = IPAddress(bytes: own.bytes, scope: nil)
        else { return nil }
        return NetworkTunnel(name: device.name, kind: kind, address: address)
    }

    /// Returns the address of this host on the network that leads there: the one in the narrowest network that contains
    /// the destination, else the one that packets are sent from, else any of the same family that is not link-local.
    fileprivate static func ownAddress(
        on interface: HostInterface,
        towards address: IPAddress,
        source: IPAddress?
    ) -> InterfaceAddress? {
        let shared = interface.addresses.filter { $0.contains(address) }.max { $0.prefixLength < $1.prefixLength }
        return shared ?? interface.addresses.first { $0.address == source }
            ?? interface.addresses.first { $0.address.family == address.family && !$0.address.isLinkLocal }
    }
}
