import DNSSD
import GatewayProtocol
import GatewaySamples
import Reports
import Scanning
import TestSupport

@testable import Commands

/// A made-up network with at least one of each kind of service and gateway; the golden files show it.
///
/// It is described by the events that the scanner sends to the map, independently of the rows that the map makes of
/// them.
enum Neighbourhood {
    static let eth0 = Fixture.eth0
    static let wlan0 = Fixture.wlan0

    static let leaf = LeafFingerprint(bytes: (0..<32).map { UInt8($0 * 7) })

    // MARK: Services

    static func instance(_ name: String, _ type: String = "_openclaw._tcp") throws -> ServiceInstance {
        try ServiceInstance(name: name, type: ServiceType(type))
    }

    /// Returns a service that is resolved on each of these paths.
    static func service(
        _ instance: ServiceInstance,
        host: DomainName = "h2.local",
        port: UInt16,
        txt: [String],
        paths: [(ServicePath, [IPAddress])],
        source: SightingSource = .avahi
    ) -> DiscoveredService {
        var service = DiscoveredService(instance: instance)
        for (path, addresses) in paths {
            service.record(
                Sighting(
                    instance: instance,
                    path: path,
                    source: source,
                    resolution: .resolved,
                    host: host,
                    port: port,
                    addresses: addresses,
                    txt: TXTRecord(strings: txt.map { Array($0.utf8) })
                )
            )
        }
        return service
    }

    static func v4(_ last: UInt8) -> IPAddress { .v4(IPv4Address(bits: 0x0A00_0000 | UInt32(last))) }

    static func linkLocal(_ last: UInt8, _ interface: NetworkInterface = eth0) -> IPAddress {
        .v6(IPv6Address(bits: 0xFE80 << 112 | UInt128(last), scope: interface))
    }

    static func path(_ interface: NetworkInterface = eth0, _ family: AddressFamily = .ipv4) -> ServicePath {
        ServicePath(interface: interface, family: family)
    }

    static func simple(
        _ name: String,
        _ last: UInt8,
        type: String = "_openclaw._tcp",
        port: UInt16 = 3_000,
        txt: [String] = []
    ) throws -> DiscoveredService {
        service(
            try instance(name, type),
            host: try DomainName(escaped: "h\(last).local"),
            port: port,
            txt: txt,
            paths: [(path(), [v4(last)])]
        )
    }

    /// A gateway whose advertisement has every TXT key, found by both address families.
    static func home(bots: Int = 2) throws -> DiscoveredService {
        service(
            try instance("Home Gateway"),
            port: 3_000,
            txt: ["fp=abc123", "name=Home Gateway", "bots=\(bots)", "ver=3"],
            paths: [(path(), [v4(2)]), (path(eth0, .ipv6), [v4(2)])]
        )
    }

    /// A gateway with TLS on two interfaces, whose name has characters that are two cells wide.
    static func studio() throws -> DiscoveredService {
        service(
            try instance("Zoë 🤖 日本 (OpenClaw)", "_openclaw-gw._tcp"),
            host: "studio.local",
            port: 18_789,
            txt: [
                "role=gateway", "gatewayPort=18789", "displayName=Zoë 🤖 日本", "gatewayTls=1", "gatewayTlsSha256=AB:CD",
                "lanHost=studio.local", "transport=gateway", "flag", "empty=",
            ],
            paths: [
                (path(wlan0, .ipv6), [linkLocal(3, wlan0)]), (path(wlan0), [linkLocal(3, wlan0)]),
                (path(eth0, .ipv6), [linkLocal(3)]),
            ],
            source: .embedded
        )
    }

    /// A service that could not be resolved.
    static func unresolved() throws -> DiscoveredService {
        let instance = try instance("gone for lunch", "_openagents._tcp")
        var service = DiscoveredService(instance: instance)
        let reason = "no SRV record in 2 s"
        service.record(
            Sighting(instance: instance, path: path(), source: .oneShot, resolution: .failed(reason: reason))
        )
        return service
    }

    /// A service whose texts all contain characters that could harm a terminal or a parser.
    static func hostile() throws -> DiscoveredService {
        let evil = "a\u{1B}[31m\r\nb\u{202E}c;\"\\\u{7}é."
        var service = try simple(evil, 66, port: 6_666)
        let path = path()
        service.record(
            Sighting(
                instance: service.instance,
                path: path,
                source: .avahi,
                resolution: .resolved,
                host: #"ev\032il\;host.local"#,
                port: 6_666,
                addresses: [v4(66)],
                txt: TXTRecord(strings: [
                    Array("name=\(evil)".utf8), Array("fp=".utf8) + [0xFF, 0x00, 0x7F], Array("bots=many".utf8),
                    Array("flag".utf8),
                ])
            )
        )
        return service
    }

    /// Returns all services of the network, sorted by instance.
    static func services() throws -> [DiscoveredService] {
        [
            try home(), try studio(), try unresolved(), try hostile(),
            try simple("Old Pad", 4, type: "_clawdbot-bridge._tcp", port: 18_790),
            try simple("Agents", 5, type: "_openagents._tcp", port: 9_099),
            try simple("desk", 7, port: 22), try simple("silent", 8),
        ]
        .sorted { $0.instance < $1.instance }
    }

    // MARK: Answers

    static func endpoint(_ address: IPAddress, _ port: UInt16 = 3_000) -> Endpoint {
        Endpoint(address: address, port: port)
    }

    static func gateway(
        _ dialect: GatewayDialect,
        fingerprint: String? = nil,
        name: String? = nil,
        bots: [BotDescription] = [],
        leaf: LeafFingerprint? = nil
    ) -> ProbeOutcome {
        .gateway(
            GatewayIdentity(
                fingerprint: fingerprint.flatMap { GatewayFingerprint($0) },
                name: name,
                dialect: dialect,
                bots: bots,
                leaf: leaf
            )
        )
    }

    /// Returns bots with various properties: a status, no emoji, a hostile name.
    static func bots() -> [BotDescription] {
        let all: [(id: String, name: String, emoji: String?, status: String?)] = [
            ("bot-1", "Jarvis", "🤖", "online"), ("bot-2", "Friday", nil, "busy"), ("3", "日本\u{1B}[2J", "🧹", nil),
        ]
        return all.compactMap { bot in
            BotID(bot.id).map { BotDescription(id: $0, name: bot.name, emoji: bot.emoji, status: bot.status) }
        }
    }

    static let sshServer = ForeignAnswer(summary: "an SSH server", bytes: Array("SSH-2.0-OpenSSH_9.2\r\n".utf8))

    /// Returns the events of a scan: first what is found, and then the answers to probes.
    static func found() throws -> [BotMapEvent] {
        let home = endpoint(v4(2))
        let studio = endpoint(linkLocal(3), 18_789)
        let answers: [(Endpoint, ProbeOutcome, Duration?)] = [
            (home, gateway(.optaplus, fingerprint: "abc123", name: "Home Gateway", bots: bots()), .microseconds(1_234)),
            (studio, gateway(.openClaw, leaf: leaf), .milliseconds(12)),
            (endpoint(v4(4), 18_790), gateway(.bridge), .microseconds(4_960)),
            (endpoint(v4(5), 9_099), gateway(.openAgents), .milliseconds(120)),
            (endpoint(v4(6), 18_800), gateway(.clawline), .milliseconds(2)),
            (endpoint(v4(7), 22), .somethingElse(sshServer), nil),
            (endpoint(v4(8)), .nothing(.noAnswer(within: .seconds(1))), nil),
        ]
        return try services().map(BotMapEvent.serviceFound)
            + [.endpointAdded(endpoint(v4(6), 18_800), .local), .endpointAdded(endpoint(v4(9)), .remote)]
            + answers.flatMap { endpoint, outcome, roundTrip -> [BotMapEvent] in
                guard let roundTrip else { return [.probed(endpoint, outcome)] }
                return [.probed(endpoint, outcome), .liveness(endpoint, .answering, roundTrip: roundTrip)]
            }
    }

    // MARK: A sequence of events

    /// Returns recorded events in which gateways come, change and go, one every half second.
    static func evening() throws -> [RecordedEvent] {
        let home = endpoint(v4(2))
        let fewer = gateway(.optaplus, fingerprint: "abc123", name: "Home Gateway", bots: Array(bots().prefix(1)))
        let copy = try simple("Copy", 20, txt: ["fp=abc123"])
        let imposed = gateway(.optaplus, fingerprint: "abc123", name: "Copy", bots: [])
        let changed = try self.home(bots: 1)
        let later: [BotMapEvent] = [
            .serviceFound(changed), .probed(home, fewer),
            .liveness(home, .suspect), .liveness(home, .answering, roundTrip: .milliseconds(3)),
            .serviceFound(copy), .probed(endpoint(v4(20)), imposed), .liveness(endpoint(v4(20)), .answering),
            .probed(endpoint(v4(20)), .nothing(.refused)), .liveness(endpoint(v4(20)), .gone),
            .serviceLost(copy.instance),
            .probed(endpoint(v4(7), 22), .nothing(.refused)), .serviceLost(try instance("desk")),
            .serviceLost(changed.instance), .liveness(home, .suspect), .liveness(home, .gone),
        ]
        return (try found() + later).enumerated().map { index, event in
            RecordedEvent(at: .milliseconds(index * 500), event: event)
        }
    }
}
