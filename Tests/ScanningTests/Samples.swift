import DNSSD
import GatewayProtocol
import TestSupport

/// Values that tests speak of.
enum Samples {
    static let eth0 = ServicePath(interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4)

    static func address(_ last: UInt32) -> IPAddress { .v4(IPv4Address(bits: 0x0A00_0000 + last)) }

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

    /// A resolved service.
    static func service(
        _ name: String,
        type: ServiceType = .openClaw,
        on path: ServicePath = eth0,
        at addresses: [IPAddress],
        port: UInt16 = 3_000,
        txt: [String] = []
    ) -> Service {
        let instance = instance(name, type: type)
        var service = Service(instance: instance)
        service.record(
            Sighting(
                instance: instance,
                path: path,
                source: SightingSource(rawValue: "fake"),
                resolution: .resolved,
                host: "host.local",
                port: port,
                addresses: addresses,
                txt: TXTRecord(strings: txt.map { Array($0.utf8) })
            )
        )
        return service
    }

    /// A design gateway answered at one endpoint.
    static func report(
        _ endpoint: Endpoint,
        dialect: GatewayDialect = .bridge,
        connections: Int = 1
    ) -> GatewayProbeReport {
        let finding: GatewayFinding =
            switch dialect {
            case .bridge: .bridge
            case .openAgents: .openAgents
            default: .openClaw(OpenClawIdentification(evidence: .health))
            }
        return GatewayProbeReport(
            finding: finding,
            path: GatewayProbePath(endpoint: endpoint, leaf: nil),
            steps: Array(
                repeating: GatewayProbeStep(
                    kind: .connect,
                    endpoint: endpoint,
                    result: "connected",
                    elapsed: .milliseconds(1),
                    succeeded: true
                ),
                count: connections
            ),
            elapsed: .milliseconds(3)
        )
    }

    static func silence(_ reason: NoAnswer = .refused) -> GatewayProbeReport {
        GatewayProbeReport(finding: .nothing(reason), path: nil, steps: [], elapsed: .milliseconds(1))
    }
}

extension Samples {
    static func answerOfSomethingElse(_ endpoint: Endpoint, connections: Int) -> GatewayProbeReport {
        let gateway = report(endpoint, connections: connections)
        return GatewayProbeReport(
            finding: .other(ForeignAnswer(summary: "a web server", bytes: Array("HTTP/1.1 200 OK".utf8))),
            path: gateway.path,
            steps: gateway.steps,
            elapsed: gateway.elapsed
        )
    }
}
