import Constellation
import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import Logging
import ReferenceGateway
import TestSupport
import Testing

@testable import Scanning

/// The scanner with real gateways, on this host's loopback.
@Suite(.timeLimit(.minutes(1))) struct ScannerTests {
    private let backend = FakeBackend()
    private let scanner: Scanner
    private let endings = LineCounter(of: "is gone")

    init() throws {
        let browser = Browser(BrowserConfiguration(types: [.openClaw]), backend: backend)
        scanner = Scanner(ScannerConfiguration(interval: .milliseconds(100)), browser: browser)
    }

    /// Runs a gateway and the scanner, and tells the scanner where the gateway is.
    private func scanning(
        _ dialect: GatewayDialect = .optaplus,
        _ body: @escaping @Sendable (_ gateway: Endpoint) async throws -> Void
    ) async throws {
        let address = try #require(IPAddress("127.0.0.1"))
        let configuration = GatewayServerConfiguration(endpoint: Endpoint(address: address, port: 0), dialect: dialect)
        var logger = Logger(label: "test") { _ in endings.handler }
        logger.logLevel = .debug
        let state = GatewayState(
            fingerprint: try #require(GatewayFingerprint("abc123")),
            name: "Home Gateway",
            bots: [BotDescription(id: try #require(BotID("bot-1")), name: "Jarvis", emoji: "🤖", status: "online")]
        )
        try await GatewayServer.withServer(state, configuration, logger: logger) { server in
            let run = Task { await scanner.run() }
            await backend.started()
            backend.send(.status(.running), .sighted(try Self.sighting(server.endpoint, dialect)))
            try await body(server.endpoint)
            run.cancel()
            await run.value
            #expect(backend.protected.isEmpty)
        }
    }

    /// Returns a sighting on loopback: a packet that comes in there is of this host.
    private static func sighting(
        _ endpoint: Endpoint,
        _ dialect: GatewayDialect,
        _ name: String = "Home",
        txt: [String] = []
    ) throws -> Sighting {
        let index = try #require(HostNetworks.current.loopbacks.first)
        let path = ServicePath(interface: NetworkInterface(index: index, name: "lo"), family: .ipv4)
        let type = try #require(ServiceType.gatewayTypes.first { GatewayProbeTarget.expected(of: $0) == dialect })
        let service = Samples.service(name, type: type, on: path, at: [endpoint.address], port: endpoint.port, txt: txt)
        return try #require(service.sightings[path])
    }

    /// The first picture of the gateways that is as wanted.
    private func gateways(until isWanted: (Gateway) -> Bool) async -> Gateway? {
        for await _ in scanner.constellation.updates {
            if let gateway = await scanner.constellation.gateways.first(where: isWanted) { return gateway }
        }
        return nil
    }

    /// Clawline has no service type: it is typed in.
    @Test(arguments: GatewayDialect.allCases.filter { $0 != .clawline })
    func aGatewayIsAskedWhatItIs(dialect: GatewayDialect) async throws {
        try await scanning(dialect) { _ in
            let gateway = await gateways { $0.dialect != nil }
            #expect(gateway?.dialect == dialect)
            if dialect == .optaplus { #expect(gateway?.bots.map(\.name) == ["Jarvis"]) }
            #expect(gateway?.liveness == .answering)
        }
    }

    @Test func settleWaitsForTheAnswers() async throws {
        try await scanning { _ in
            let result = await scanner.settle(quiet: .milliseconds(10), deadline: .now + .seconds(30))
            #expect(result == .settled)
            #expect(await scanner.constellation.gateways.first?.dialect == .optaplus)
            #expect(await scanner.progress.gateways == 1)
            #expect(backend.protected.count == 1, "what answers is kept")
        }
    }

    /// A claimant of a gateway's fingerprint is shown when that gateway was asked once more. No connection has ended
    /// meanwhile: all questions went over one.
    @Test func aGatewayIsAskedAgainOverAConnectionThatIsKept() async throws {
        try await scanning { _ in
            #expect(await gateways { $0.dialect == .optaplus } != nil)
            var before = 0
            for port in 1...10 as ClosedRange<UInt16> {
                let name = "Claimant \(port)"
                // Nobody listens there.
                let nowhere = Endpoint(address: try #require(IPAddress("127.0.0.1")), port: port)
                backend.send(.sighted(try Self.sighting(nowhere, .optaplus, name, txt: ["fp=abc123"])))
                #expect(await gateways { $0.name == name } != nil)
                // Those of the probe have ended by then.
                if port == 3 { before = endings.count }
            }
            let gateway = await scanner.constellation.gateways.first { $0.dialect == .optaplus }
            #expect(gateway?.liveness == .answering)
            #expect(endings.count == before)
        }
    }
}
