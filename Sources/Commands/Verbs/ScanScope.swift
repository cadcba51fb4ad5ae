internal import DNSSD
internal import HostSystem

/// The part of the network that a scan covers, with the interfaces of this host.
struct ScanScope {
    /// The interfaces that the user chose; empty means all.
    var interfaces: [String] = []

    /// The interfaces of this host.
    var network: MulticastInterfaces

    /// The service types that the user chose; empty means those of gateways.
    var types: [ServiceType] = []

    /// Returns the scope of a scan on this host, with its current interfaces.
    static func ofThisHost(interfaces: [String] = [], types: [ServiceType] = []) -> ScanScope {
        ScanScope(
            interfaces: interfaces,
            network: .current,
            types: types
        )
    }
}
