import DNSSD
import GatewayClient
import GatewayProtocol
import TestSupport

/// Services, endpoints, answers and probe reports for tests.
enum Samples {
    static let eth0 = ServicePath(interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4)
    static let eth1 = ServicePath(interface: NetworkInterface(index: 3, name: "eth1"), family: .ipv4)

    static func address(_ last: UInt32) -> IPAddress { .v4(IPv4Address(bits: 0x0A00_0000 + last)) }

    /// Returns a link-local address, which is valid on one link only.
    static func linkLocalAddress(_ last: UInt64, on interface: NetworkInterface = eth0.interface) -> IPAddress {
        .v6(IPv6Address(bits: 0xFE80 << 112 | UInt128(last), scope: interface))
    }

    static func endpoint(_ last: UInt32, port: UInt16 = 3_000) -> Endpoint {
        Endpoint(address: address(last), port: port)
    }

    static func instance(_ name: String, type: ServiceType = .openClaw) -> ServiceInstance {
        do {
            return try ServiceInstance(name: name, type: type)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Returns a resolved service with one sighting.
    static func service(
        _ name: String,
        type: ServiceType = .openClaw,
        on path: ServicePath = eth0,
        at addresses: [IPAddress],
        port: UInt16 = 3_000,
        txt: [String] = [],
        host: DomainName = "host.local",
        heardFrom: [IPAddress] = []
    ) -> DiscoveredService {
        let instance = instance(name, type: type)
        var service = DiscoveredService(instance: instance)
        service.record(
            sighting(instance, on: path, at: addresses, port: port, txt: txt, host: host, heardFrom: heardFrom)
        )
        return service
    }

    /// Returns a resolved sighting.
    static func sighting(
        _ instance: ServiceInstance,
        on path: ServicePath = eth0,
        at addresses: [IPAddress],
        port: UInt16 = 3_000,
        txt: [String] = [],
        host: DomainName = "host.local",
        heardFrom: [IPAddress] = []
    ) -> Sighting {
        Sighting(
            instance: instance,
            path: path,
            source: SightingSource(rawValue: "fake"),
            resolution: .resolved,
            host: host,
            port: port,
            addresses: addresses,
            txt: TXTRecord(strings: txt.map { Array($0.utf8) }),
            heardFrom: heardFrom
        )
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

    /// Returns the report of a probe that was answered by some gateway of a dialect.
    static func report(
        _ endpoint: Endpoint,
        dialect: GatewayDialect = .bridge,
        connections: Int = 1
    ) -> GatewayProbeReport {
        report(endpoint, SampleGateway(dialect: dialect, fingerprint: nil, name: nil, connections: connections))
    }

    /// Returns the report of a probe that was answered by this gateway.
    static func report(_ endpoint: Endpoint, _ gateway: SampleGateway) -> GatewayProbeReport {
        GatewayProbeReport(
            verdict: gateway.verdict,
            path: GatewayProbePath(endpoint: endpoint, leaf: gateway.leaf.map(leaf)),
            steps: connections(gateway.connections, to: endpoint),
            elapsed: .milliseconds(3),
            roundTrip: gateway.roundTrip,
            connecting: gateway.roundTrip
        )
    }

    static func silence(_ reason: NoAnswer = .refused, at endpoint: Endpoint? = nil) -> GatewayProbeReport {
        GatewayProbeReport(
            verdict: .nothing(reason),
            path: nil,
            steps: endpoint.map { connections(1, to: $0) } ?? [],
            elapsed: .milliseconds(1)
        )
    }

    static func answerOfSomethingElse(_ endpoint: Endpoint, connections: Int) -> GatewayProbeReport {
        GatewayProbeReport(
            verdict: .other(ForeignAnswer(summary: "a web server", bytes: Array("HTTP/1.1 200 OK".utf8))),
            path: GatewayProbePath(endpoint: endpoint, leaf: nil),
            steps: Self.connections(connections, to: endpoint),
            elapsed: .milliseconds(3)
        )
    }

    /// Returns the report of a probe to which a web server answered with a status.
    static func answer(of endpoint: Endpoint, status: Int) -> GatewayProbeReport {
        GatewayProbeReport(
            verdict: .other(ForeignAnswer(summary: "a web server", bytes: Array("HTTP/1.1 \(status) ".utf8))),
            path: GatewayProbePath(endpoint: endpoint, leaf: nil),
            steps: connections(1, to: endpoint),
            elapsed: .milliseconds(3)
        )
    }

    private static func connections(_ count: Int, to endpoint: Endpoint) -> [GatewayProbeStep] {
        let step = GatewayProbeStep(
            kind: .connect,
            endpoint: endpoint,
            result: "connected",
            elapsed: .milliseconds(1),
            succeeded: true
        )
        return Array(repeating: step, count: count)
    }
}
