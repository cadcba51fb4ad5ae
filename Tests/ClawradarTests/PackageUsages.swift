import Agent
import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import Scanning

// The listings in *Usage* sections of doc comments of types that only this package uses, word for word. `UsageTests`
// compares them: change both together.

enum PackageUsages {
    static func asking(_ path: String) throws -> Any {
        let answer = try AgentClient(socket: path).ask("GET", "/api/v1/gateways")
        return answer
    }

    static func mapping(_ service: DiscoveredService) {
        var map = BotMap()
        for change in map.apply(.serviceFound(service)) { print(change) }
        for gateway in map.gateways { print(gateway.name, gateway.liveness?.rawValue ?? "?") }
    }

    static func encoding(_ records: [DNSRecord]) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var encoder = DNSMessageEncoder(flags: .authoritativeResponse, limit: 1_452, compression: .multicast)
        for record in records where !encoder.append(record, to: .answers) {
            packets.append(encoder.finish())
            encoder = DNSMessageEncoder(flags: .authoritativeResponse, limit: 1_452, compression: .multicast)
            _ = encoder.append(record, to: .answers)
        }
        packets.append(encoder.finish())
        return packets
    }

    static func querying(_ received: [UInt8]) throws -> [UInt8] {
        var query = DNSMessage(id: 4711)
        query.questions = [DNSQuestion(name: try DomainName(escaped: "_openclaw._tcp.local"), type: .ptr)]
        let packet = query.encoded().bytes

        let response = try DNSReceivedMessage(decoding: received).message
        for record in response.answers { print(record.name, record.type) }
        return packet
    }

    static func talking(_ endpoint: Endpoint) async throws -> GatewayFrame? {
        let frame = try await WebSocketConnection.withConnection(to: [endpoint]) { connection -> GatewayFrame? in
            try await connection.send(GatewayFrame.request(.discover(id: "1")).encoded)
            guard case .message(let bytes) = await connection.next() else { return nil }
            return try GatewayFrame(parsing: bytes)
        }
        return frame
    }

    static func conversing(_ endpoints: [Endpoint], _ leaf: LeafFingerprint) async throws {
        try await GatewayConversation.withConversation(to: endpoints, transport: .tls(pin: leaf)) { gateway in
            let answer = try await gateway.request("gateway.discover", params: .object([:]))
            print(try answer.outcome.get() ?? .null)
            for try await case .event(let event) in gateway.frames { print(event.name) }
        }
    }

    static func probing(_ endpoints: [Endpoint]) async {
        let target = GatewayProbeTarget(endpoints: endpoints, rules: TargetRules(origin: .network))
        let report = await GatewayProbe().run(target)
        if case .optaplus(let gateway) = report.verdict { print(gateway.bots.map(\.name)) }
    }

    static func asking(_ server: Endpoint, about zone: DomainName) async throws -> DNSMessage {
        let transport = try DNSTransport()
        let query = DNSMessage(id: .random(in: 0 ... .max), questions: [DNSQuestion(name: zone, type: .soa)])
        let answer = try await transport.exchange(query.encoded().bytes, with: server, over: .tcp, within: .seconds(5))
        let received = try DNSReceivedMessage(decoding: answer).message
        return received
    }
}
