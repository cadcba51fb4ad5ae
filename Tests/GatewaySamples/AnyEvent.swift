internal import DNSSD
internal import GatewayProtocol
package import Scanning
package import TestSupport

/// Random events about so few services, endpoints and bots that they often concern the same one, with every property
/// that an event can have.
package struct AnyEvent {
    package var random: SeededGenerator

    package init(random: SeededGenerator) {
        self.random = random
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }

    private mutating func maybe<Value>(_ value: Value) -> Value? { random.next() % 2 == 0 ? value : nil }

    private mutating func text() -> String {
        pick(["a", "Home Gateway", "Zoë \u{1F916}", "e\u{301}", "\u{1B}[31m\u{202E}", "\"\\/\n\0", "", "日本"])
    }

    private mutating func name() -> String { pick(["a", "B.c", #"back\slash"#, "é", "e\u{301}", "\u{7}\n", "🤖"]) }

    private mutating func interface() -> NetworkInterface {
        pick([NetworkInterface(index: 2, name: "eth0"), NetworkInterface(index: 3, name: "wlan0")])
    }

    private mutating func address() -> IPAddress {
        switch random.next() % 4 {
        case 0, 1: .v4(IPv4Address(bits: 0x0A00_0000 | UInt32(random.next() % 6)))
        case 2: .v6(IPv6Address(bits: 0xFE80 << 112 | UInt128(random.next() % 4), scope: maybe(interface())))
        default: .v6(IPv6Address(bits: pick([0xFFFF_0A00_0001, 1, 0xFD00 << 112 | 1, 0])))
        }
    }

    private mutating func endpoint() -> Endpoint {
        Endpoint(address: address(), port: pick([0, 3_000, 65_535]), resource: pick(["/", "/kitchen/"]))
    }

    private mutating func fingerprint() -> GatewayFingerprint? {
        GatewayFingerprint(bytes: pick([[0x66], [0xFF, 0x00], Array("é".utf8), []]))
    }

    private mutating func bot() -> BotID? { BotID(pick(["1", "e\u{301}", "\u{0}"])) }

    private mutating func instance() throws -> ServiceInstance {
        try ServiceInstance(
            name: name(),
            type: ServiceType(pick(["_openclaw._tcp", "_clawdbot-bridge._tcp"])),
            domain: pick(["local", #"a\.b.example"#])
        )
    }

    private mutating func host() -> DomainName {
        let label = [0x68] + random.bytes(upTo: 30)
        return (try? DomainName(labels: [label, Array("local".utf8)])) ?? .root
    }

    private mutating func service() throws -> DiscoveredService {
        var service = DiscoveredService(instance: try instance())
        for _ in 0..<random.next() % 4 {
            let strings = (0..<random.next() % 4).map { _ in random.bytes(upTo: 40) } + [Array("fp=f".utf8)]
            service.record(
                Sighting(
                    instance: service.instance,
                    path: ServicePath(interface: interface(), family: pick([.ipv4, .ipv6])),
                    source: pick([.avahi, SightingSource(rawValue: text())]),
                    resolution: pick([.resolved, .resolving, .failed(reason: text())]),
                    host: maybe(host()),
                    port: maybe(3_000),
                    addresses: (0..<random.next() % 3).map { _ in address() },
                    txt: maybe(TXTRecord(strings: strings)),
                    heardFrom: (0..<random.next() % 3).map { _ in address() },
                    isOurs: pick([true, false]),
                    isOwn: pick([true, false])
                )
            )
            if random.next() % 4 == 0, let path = service.paths.first { service.forget(path) }
        }
        return service
    }

    private mutating func duration() -> Duration {
        pick([.zero, .nanoseconds(1), .milliseconds(1_234), .milliseconds(500) / 3, .seconds(1_000_000_000)])
    }

    private mutating func leaf() -> LeafFingerprint? {
        LeafFingerprint(bytes: Array(repeating: UInt8(random.next() % 3), count: 32))
    }

    private mutating func outcome() -> ProbeOutcome {
        switch random.next() % 4 {
        case 0:
            return .somethingElse(ForeignAnswer(summary: text(), bytes: random.bytes(upTo: 80)))
        case 1:
            let noAnswers: [NoAnswer] = [
                .refused, .unreachable, .tlsFailure, .closed, .noGateway(status: 502), .noAnswer(within: duration()),
                .notAtUsualPorts, .notAllowed(pick(TargetRefusal.allCases)),
            ]
            return .nothing(leaf().flatMap { maybe(.wrongLeaf(found: $0)) } ?? pick(noAnswers))
        default:
            var bots: [BotDescription] = []
            for _ in 0..<random.next() % 3 {
                guard let id = bot() else { continue }
                bots.append(BotDescription(id: id, name: text(), emoji: maybe(text()), status: maybe(text())))
            }
            return .gateway(
                GatewayIdentity(
                    fingerprint: fingerprint(),
                    name: maybe(text()),
                    dialect: pick(GatewayDialect.allCases),
                    bots: bots,
                    leaf: maybe(()).flatMap { leaf() }
                )
            )
        }
    }

    private mutating func gatewayID() throws -> GatewayID {
        let candidate: GatewayCandidate = random.next() % 2 == 0 ? .service(try instance()) : .endpoint(endpoint())
        guard let fingerprint = fingerprint() else { return .candidate(candidate) }
        return random.next() % 3 == 0 ? .claimant(fingerprint, candidate) : .fingerprint(fingerprint)
    }

    package mutating func next() throws -> BotMapEvent {
        guard let bot = bot() else { return .endpointRemoved(endpoint()) }
        let key = BotKey(gateway: try gatewayID(), bot: bot)
        switch random.next() % 17 {
        case 0, 1, 2: return .serviceFound(try service())
        case 3: return .serviceLost(try instance())
        case 4: return .endpointAdded(endpoint(), pick(Reach.allCases))
        case 5: return .endpointRemoved(endpoint())
        case 6, 7, 8: return .probed(endpoint(), outcome())
        case 9: return .liveness(endpoint(), pick(Liveness.allCases), roundTrip: maybe(duration()))
        case 16: return .sessionLiveness(endpoint(), maybe(pick(Liveness.allCases)), roundTrip: maybe(duration()))
        case 15: return .proved(endpoint(), pick(GatewayProof.allCases), leaf: leaf())
        case 14: return .flooding(endpoint(), pick([true, false]))
        case 10, 11:
            return .paired(
                PairedBot(id: key, name: maybe(text()), emoji: maybe(text()), gatewayName: maybe(text()))
            )
        case 12: return pick([.unpaired(key), .revoked(key)])
        default: return .stateChanged(key, pick(BotState.allCases))
        }
    }
}
