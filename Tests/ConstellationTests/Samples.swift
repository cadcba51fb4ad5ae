import DNSSD
import GatewayProtocol
import Scanning
import TestSupport

/// Services, endpoints and answers for tests.
enum Samples {
    static let eth0 = NetworkInterface(index: 2, name: "eth0")
    static let eth1 = NetworkInterface(index: 3, name: "eth1")

    static func address(_ last: UInt8) -> IPAddress { .v4(IPv4Address(bits: 0xC0A8_0100 | UInt32(last))) }

    static func endpoint(
        _ last: UInt8,
        port: UInt16 = 3_000,
        _ resource: String = "/",
        named name: String? = nil
    ) -> Endpoint {
        Endpoint(
            address: address(last),
            port: port,
            resource: resource,
            serverName: name.flatMap { ServerName($0) }
        )
    }

    static func instance(_ name: String, type: String = "openclaw") -> ServiceInstance {
        do {
            return try ServiceInstance(name: name, type: ServiceType(name: type))
        } catch {
            preconditionFailure("\(error)")
        }
    }

    static func fingerprint(_ text: String) -> GatewayFingerprint {
        guard let fingerprint = GatewayFingerprint(text) else { preconditionFailure("no fingerprint: \(text)") }
        return fingerprint
    }

    static func bot(_ text: String) -> BotID {
        guard let bot = BotID(text) else { preconditionFailure("no bot: \(text)") }
        return bot
    }

    static func leaf(_ byte: UInt8) -> LeafFingerprint {
        guard let leaf = LeafFingerprint(bytes: Array(repeating: byte, count: 32)) else {
            preconditionFailure("no leaf")
        }
        return leaf
    }

    static func key(_ fingerprint: String, _ bot: String) -> BotKey {
        BotKey(gateway: .fingerprint(Self.fingerprint(fingerprint)), bot: Self.bot(bot))
    }

    /// Returns a service with one or more addresses, seen on one or more interfaces.
    static func service(
        _ name: String,
        type: String = "openclaw",
        fp: String? = nil,
        host: DomainName? = nil,
        at addresses: [UInt8],
        port: UInt16 = 3_000,
        on interfaces: [NetworkInterface] = [eth0]
    ) -> DiscoveredService {
        var service = DiscoveredService(instance: instance(name, type: type))
        for interface in interfaces {
            var sighting = Sighting(
                instance: service.instance,
                path: ServicePath(interface: interface, family: .ipv4),
                source: SightingSource(rawValue: "fake"),
                resolution: .resolved
            )
            sighting.host = host ?? (try? DomainName(labels: [Array(name.utf8), Array("local".utf8)]))
            sighting.port = port
            sighting.addresses = addresses.map(address)
            sighting.txt = fp.map { TXTRecord(strings: [Array("fp=\($0)".utf8)]) } ?? TXTRecord()
            service.record(sighting)
        }
        return service
    }

    static func answer(
        _ fp: String?,
        name: String? = nil,
        bots: [String] = [],
        leaf: UInt8? = nil
    ) -> ProbeOutcome {
        .gateway(
            GatewayIdentity(
                fingerprint: fp.map(fingerprint),
                name: name,
                dialect: .optaplus,
                bots: bots.map { BotDescription(id: bot($0), name: "Bot \($0)") },
                leaf: leaf.map(Self.leaf)
            )
        )
    }
}

extension BotMap {
    /// Applies events, and returns all changes.
    @discardableResult
    mutating func apply(all events: [BotMapEvent]) -> [BotMapChange] {
        events.flatMap { apply($0) }
    }
}
