package import DNSSD
internal import HostSystem

extension LocalAddress {
    /// The current addresses of this host, sorted; empty when the system does not report them.
    package static var all: [LocalAddress] {
        var found: Set<LocalAddress> = []
        for host in HostInterface.all {
            for address in host.addresses.map(\.address) {
                let isOnNetwork = host.isOnNetwork && !address.isLoopback
                found.insert(LocalAddress(interface: host.interface, address: address, isOnNetwork: isOnNetwork))
            }
        }
        return found.sorted()
    }

    /// Returns whether an address leads to this host itself.
    package static func isOfThisHost(_ address: IPAddress) -> Bool {
        isAny(of: all, address)
    }

    /// Returns whether an address is loopback, or one of the given addresses.
    static func isAny(of addresses: [LocalAddress], _ address: IPAddress) -> Bool {
        address.isLoopback || addresses.contains { $0.address.unmapped == address.unmapped }
    }
}
