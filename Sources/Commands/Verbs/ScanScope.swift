internal import DNSSD
internal import EventLoops

/// The part of the network that a scan asks, and what this host has of it.
struct ScanScope {
    /// The interfaces that were asked for; empty means all.
    var interfaces: [String] = []

    /// The interfaces of this host that lead to others.
    var connected: Set<String>

    /// Those that lead to this host alone.
    var loopback: Set<String> = []

    /// The service types that were asked for; empty means those of gateways.
    var types: [ServiceType] = []

    /// The scope of a scan on this host, with its interfaces as they are now.
    static func ofThisHost(interfaces: [String] = [], types: [ServiceType] = []) -> ScanScope {
        ScanScope(
            interfaces: interfaces,
            connected: HostInterface.connected,
            loopback: HostInterface.loopback,
            types: types
        )
    }
}
