package import DNSSD
internal import TestSupport

/// Services as a browser returns them, for several test targets.
package enum Fixture {
    package static let eth0 = NetworkInterface(index: 2, name: "eth0")
    package static let wlan0 = NetworkInterface(index: 3, name: "wlan0")

    package static func service(
        name: String = "Home Gateway",
        txt: [[UInt8]] = [Array("fp=abc123".utf8), Array("name=Home".utf8), Array("bots=3".utf8), Array("ver=3".utf8)],
        port: UInt16 = 3000,
        resolution: Resolution = .resolved
    ) throws -> DiscoveredService {
        let instance = try ServiceInstance(name: name, type: ServiceType("_openclaw._tcp"))
        var service = DiscoveredService(instance: instance)
        let isKnown = resolution == .resolved
        service.record(
            Sighting(
                instance: instance,
                path: ServicePath(interface: eth0, family: .ipv4),
                source: .avahi,
                resolution: resolution,
                host: isKnown ? "h2.local" : nil,
                port: isKnown ? port : nil,
                addresses: isKnown ? [.v4(IPv4Address(bits: 0x0A00_0002))] : [],
                txt: isKnown ? TXTRecord(strings: txt) : nil
            )
        )
        service.record(
            Sighting(
                instance: instance,
                path: ServicePath(interface: eth0, family: .ipv6),
                source: .avahi,
                resolution: isKnown ? .failed(reason: "no answer over IPv6") : resolution
            )
        )
        return service
    }
}
