internal import DNSSD
internal import GatewayProtocol
internal import HostSystem

/// The networks of this host's interfaces, at one moment.
struct HostNetworks: Hashable, Sendable {
    /// The networks of all interfaces that are up.
    var prefixes: [TargetRules.Prefix] = []

    /// The interfaces on which only this host itself can be heard.
    var loopbacks: Set<UInt32> = []

    /// The addresses of this host.
    var addresses: Set<IPAddress> = []

    /// The machines that this host's kernel has reached, and at which addresses.
    var neighbours = NeighbourTable()

    /// Returns the machine that has an address, as far as this host knows.
    func machine(of address: IPAddress) -> Machine? {
        if isOwn(address) { return .thisHost }
        return neighbours.hardwareAddress(of: address).map { .neighbour(hardwareAddress: $0.bytes) }
    }

    /// Indicates whether an address is one of this host.
    func isOwn(_ address: IPAddress) -> Bool {
        address.isLoopback || addresses.contains(address.unmapped)
    }

    /// The networks at this moment, read from the system.
    static var current: HostNetworks {
        var networks = HostNetworks()
        for found in HostInterface.all where found.flags.contains(.up) {
            networks.addresses.formUnion(found.addresses.map(\.address.unmapped))
            guard !found.flags.contains(.loopback) else {
                networks.loopbacks.insert(found.interface.index)
                continue
            }
            networks.prefixes += found.addresses.map {
                TargetRules.Prefix(address: $0.address, length: $0.prefixLength)
            }
        }
        return networks
    }
}
