import DNSSD
import HostSystem

@testable import Commands

extension ScanScope {
    /// Makes a scope on a host with interfaces of these names.
    init(
        interfaces: [String] = [],
        connected: Set<String>,
        loopback: Set<String> = [],
        types: [ServiceType] = []
    ) {
        func indices(_ names: Set<String>) -> [String: UInt32] {
            Dictionary(names.map { ($0, 1) }) { first, _ in first }
        }
        let network = MulticastInterfaces(connected: indices(connected), loopback: indices(loopback))
        self.init(interfaces: interfaces, network: network, types: types)
    }
}
