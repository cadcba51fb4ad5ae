import DNSSD
import GatewayProtocol
import Scanning

/// A typical gateway: one in four has addresses of both families, and all have names, fingerprints and bots of usual
/// length.
struct BenchGateway {
    let number: Int

    /// The version in its TXT record, which grows with each change of the record.
    var version = 1

    /// The number of bots that it lists.
    var bots = 2

    /// The step that its first bot has reached.
    private var step = 0

    init(number: Int) {
        self.number = number
    }

    private var digits: String { String(1_000_000 + number).dropFirst().description }

    private var v4: IPAddress { .v4(IPv4Address(bits: 0x0A00_0000 + UInt32(number))) }

    private var addresses: [IPAddress] {
        guard number % 4 == 3 else { return [v4] }
        let bits = UInt128(0xFE80) << 112 | UInt128(0x0250_56FF_FE00_0000 + UInt64(number))
        return [v4, .v6(IPv6Address(bits: bits, scope: NetworkInterface(index: 2, name: "eth0")))]
    }

    var endpoints: [Endpoint] { addresses.map { Endpoint(address: $0, port: 18_789) } }

    func instance() throws -> ServiceInstance {
        try ServiceInstance(name: "Gateway \(digits) (OpenClaw)", type: ServiceType(name: "openclaw-gw"))
    }

    private func fingerprint() throws -> GatewayFingerprint {
        guard let fingerprint = GatewayFingerprint("0123456789abcdef0123456789\(digits)") else {
            throw MapBenchError.badSample("fingerprint")
        }
        return fingerprint
    }

    private func bot(_ index: Int) throws -> BotID {
        guard let bot = BotID("bot-\(index)") else { throw MapBenchError.badSample("bot") }
        return bot
    }

    /// Returns its service as a browser reports it, without storage that is shared with an earlier report.
    func service() throws -> DiscoveredService {
        let instance = try instance()
        var service = DiscoveredService(instance: instance)
        for address in addresses {
            var sighting = Sighting(
                instance: instance,
                path: ServicePath(
                    interface: NetworkInterface(index: 2, name: "eth0"),
                    family: address.family
                ),
                source: SightingSource(rawValue: "bench"),
                resolution: .resolved
            )
            sighting.host = try DomainName(escaped: "gateway-\(digits).local")
            sighting.port = 18_789
            sighting.addresses = [address]
            sighting.txt = try TXTRecord([
                ("role", "gateway"), ("gatewayPort", "18789"), ("fp", "\(fingerprint())"),
                ("displayName", "Gateway \(digits)"), ("transport", "gateway"), ("ver", "\(version)"),
            ])
            service.record(sighting)
        }
        return service
    }

    /// Returns its answer to a probe.
    func answer() throws -> ProbeOutcome {
        .gateway(
            GatewayIdentity(
                fingerprint: try fingerprint(),
                name: "The gateway number \(digits)",
                dialect: .optaplus,
                bots: try (0..<bots).map {
                    BotDescription(id: try bot($0), name: "Assistant \($0) of \(digits)", emoji: "🤖", status: "online")
                }
            )
        )
    }

    /// Returns an event with the next state of its first bot.
    mutating func nextBotEvent() throws -> BotMapEvent {
        let key = BotKey(gateway: .fingerprint(try fingerprint()), bot: try bot(0))
        step = (step + 1) % 5
        switch step {
        case 1: return .paired(PairedBot(id: key, name: "Assistant", gatewayName: "Gateway \(digits)"))
        case 2: return .stateChanged(key, .connecting)
        case 3: return .stateChanged(key, .connected)
        case 4: return .stateChanged(key, .disconnected)
        default: return .unpaired(key)
        }
    }
}
