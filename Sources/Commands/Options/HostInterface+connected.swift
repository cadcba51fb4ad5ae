internal import DNSSD
internal import EventLoops

extension HostInterface {
    /// The names of those over which multicast DNS can reach another host.
    static var connected: Set<String> {
        Set(all.filter { $0.isOnNetwork && !$0.addresses.isEmpty }.map(\.interface.name))
    }

    /// The names of those that lead to this host alone.
    static var loopback: Set<String> { Set(all.filter { $0.flags.contains(.loopback) }.map(\.interface.name)) }
}
