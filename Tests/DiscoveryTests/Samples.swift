import DNSSD
import TestSupport

/// Values for the tests of Discovery.
enum Samples {
    static let eth0 = ServicePath(interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4)
    static let eth1 = ServicePath(interface: NetworkInterface(index: 3, name: "eth1"), family: .ipv4)
    static let paths = [eth0, eth1, ServicePath(interface: eth0.interface, family: .ipv6)]

    static let type = ServiceType(checkedName: "openclaw", transport: .tcp)
    static let noDaemon = BackendError(.noDaemon, "no daemon")

    static func instance(_ name: String) -> ServiceInstance {
        do {
            return try ServiceInstance(name: name, type: type)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    static func txt(_ value: String) -> TXTRecord {
        TXTRecord(strings: [Array("v=\(value)".utf8)])
    }

    /// Returns a sighting, which is complete if it is resolved.
    static func sighting(
        _ name: String,
        on path: ServicePath = eth0,
        _ resolution: Resolution = .resolved,
        port: UInt16 = 3_000,
        txt value: String = "1",
        from source: SightingSource = SightingSource(rawValue: "fake")
    ) -> Sighting {
        var sighting = Sighting(
            instance: instance(name),
            path: path,
            source: source,
            resolution: resolution
        )
        guard resolution == .resolved else { return sighting }
        sighting.host = "host.local"
        sighting.port = port
        sighting.addresses = [.v4(IPv4Address(bits: 0x0A00_0001))]
        sighting.txt = txt(value)
        return sighting
    }

    /// Returns a random event about one of a few services on one of a few paths.
    static func anyEvent(_ random: inout SeededGenerator, names: Int = 6) -> BrowseEvent {
        let name = "s\(random.next() % UInt64(names))"
        let path = paths[Int(random.next() % UInt64(paths.count))]
        switch random.next() % 8 {
        case 0: return .sighted(sighting(name, on: path, .resolving))
        case 1: return .sighted(sighting(name, on: path, .failed(reason: "no SRV record")))
        case 2, 3, 4:
            let port = UInt16(3_000 + random.next() % 2)
            return .sighted(sighting(name, on: path, port: port, txt: "\(random.next() % 2)"))
        default: return .vanished(instance(name), path, .withdrawn)
        }
    }
}

// MARK: Reading changes

extension Samples {
    static func kind(_ change: ServiceChange) -> String {
        switch change {
        case .found: "found"
        case .changed: "changed"
        case .lost: "lost"
        }
    }

    static func aspects(_ change: ServiceChange) -> Set<ServiceAspect> {
        if case .changed(_, let aspects) = change { aspects } else { [] }
    }
}
