import CoreMetrics
import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import Logging
import MetricsTestKit
import ReferenceGateway
import TestSupport
import Testing

@testable import Scanning

/// The scanner with a reference gateway on the loopback interface of this host.
@Suite(.timeLimit(.minutes(1))) struct ScannerTests {
    let backend = FakeBackend()
    let scanner: GatewayScanner
    let connections = LineCounter(of: "speaks WebSocket")

    init() throws {
        let browser = Browser(BrowserConfiguration(types: [.openClaw]), backend: backend)
        scanner = GatewayScanner(ScannerConfiguration(interval: .milliseconds(100)), browser: browser)
    }

    /// Runs a gateway and the scanner, reports the service of the gateway to the scanner, and calls a closure with its
    /// endpoint.
    func scanning(
        _ dialect: GatewayDialect = .optaplus,
        with other: GatewayScanner? = nil,
        _ body: @escaping @Sendable (_ gateway: Endpoint) async throws -> Void
    ) async throws {
        let scanner = other ?? scanner
        let address = try #require(IPAddress("127.0.0.1"))
        let configuration = GatewayServerConfiguration(endpoint: Endpoint(address: address, port: 0), dialect: dialect)
        var logger = Logger(label: "test") { _ in connections.handler }
        logger.logLevel = .debug
        let state = GatewayState(
            fingerprint: try #require(GatewayFingerprint("abc123")),
            name: "Home Gateway",
            bots: [BotDescription(id: try #require(BotID("bot-1")), name: "Jarvis", emoji: "🤖", status: "online")]
        )
        try await GatewayServer.withServer(state, configuration, logger: logger) { server in
            let run = Task { try? await scanner.run() }
            await backend.started()
            backend.send(.status(.running), .sighted(try Self.sighting(server.endpoint, dialect)))
            try await body(server.endpoint)
            run.cancel()
            await run.value
            #expect(backend.protected.isEmpty)
        }
    }

    /// Returns a sighting on the loopback interface: packets that arrive there were sent by this host, so that its
    /// loopback address may be asked.
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

    /// Waits for the first gateway in the map that meets a condition.
    private func gateways(until isWanted: (Gateway) -> Bool) async -> Gateway? {
        for await _ in scanner.constellation.updates {
            if let gateway = await scanner.constellation.gateways.first(where: isWanted) { return gateway }
        }
        return nil
    }

    /// A gateway of each dialect is recognized when its service is found. Clawline is left out, since it has no service
    /// type and can only be entered by the user.
    @Test(arguments: GatewayDialect.allCases.filter { $0 != .clawline })
    func aGatewayIsAskedWhatItIs(dialect: GatewayDialect) async throws {
        try await scanning(dialect) { _ in
            let gateway = await gateways { $0.dialect != nil }
            #expect(gateway?.dialect == dialect)
            if dialect == .optaplus { #expect(gateway?.bots.map(\.name) == ["Jarvis"]) }
            #expect(gateway?.liveness == .answering)
        }
    }

    /// A scanner runs once, and a second run says so.
    @Test func aSecondRunIsAnError() async throws {
        let browser = Browser(BrowserConfiguration(types: [.openClaw]), backend: backend)
        let scanner = GatewayScanner(ScannerConfiguration(probes: false), browser: browser)
        let run = Task { try await scanner.run() }
        await backend.started()
        await #expect(throws: AlreadyRunError(type: "GatewayScanner")) { try await scanner.run() }
        run.cancel()
        try await run.value
        await #expect(throws: AlreadyRunError(type: "GatewayScanner")) { try await scanner.run() }
    }

    /// A program that follows the scanner's own map comes to the end of its loop when the scanner ends, as it does with a
    /// browser; a map that others report to as well goes on.
    @Test(arguments: [false, true]) func theSequencesOfItsOwnMapEndWithTheRun(isShared: Bool) async throws {
        let browser = Browser(BrowserConfiguration(types: [.openClaw]), backend: backend)
        let scanner = GatewayScanner(
            ScannerConfiguration(probes: false),
            browser: browser,
            constellation: isShared ? Constellation() : nil
        )
        let constellation = scanner.constellation
        var updates = constellation.updates.makeAsyncIterator()
        _ = await updates.next(isolation: nil)
        let run = Task { try await scanner.run() }
        await backend.started()
        run.cancel()
        try await run.value
        if isShared {
            let address = try #require(IPAddress("10.0.0.2"))
            await constellation.apply(.endpointAdded(Endpoint(address: address, port: 1), .local))
            #expect(await updates.next(isolation: nil) != nil)
        } else {
            #expect(await updates.next(isolation: nil) == nil)
            for await _ in constellation.currentGateways {}
        }
    }

    /// Settling ends once the gateway has answered, not as soon as its service has been found.
    @Test func settleWaitsForTheAnswers() async throws {
        try await scanning { _ in
            let result = await scanner.settle(quiet: .milliseconds(10), deadline: .now + .seconds(30))
            #expect(result == .settled)
            #expect(await scanner.constellation.gateways.first?.dialect == .optaplus)
            #expect(await scanner.progress.gateways == 1)
            #expect(backend.protected.count == 1, "a service that answers is protected")
        }
    }

    /// All liveness checks of a gateway go over one held connection, and each of them is answered.
    @Test func aGatewayIsAskedAgainOverAConnectionThatIsKept() async throws {
        let clock = TurnedClock()
        let browser = Browser(BrowserConfiguration(types: [.openClaw]), backend: backend)
        let configuration = ScannerConfiguration()
        let scanner = GatewayScanner(configuration, browser: browser, clock: clock)
        try await scanning(with: scanner) { endpoint in
            while await scanner.state.endpoints[endpoint]?.tracker.liveness != .answering { await Task.yield() }
            let before = (connections: connections.count, question: try #require(await scanner.questions(to: endpoint)))
            for check in 1...5 {
                clock.turn(by: configuration.interval)
                while await scanner.questions(to: endpoint) != before.question + check { await Task.yield() }
                #expect(connections.count == before.connections + 1, "check \(check)")
            }
            #expect(await scanner.state.endpoints[endpoint]?.tracker.misses == 0)
        }
    }

    /// The scanner counts services, probes, checks and changes in the metrics factory that was set when it was made.
    @Test func whatTheScannerDoesIsCounted() async throws {
        let (metrics, clock, configuration) = (TestMetrics(), TurnedClock(), ScannerConfiguration())
        let scanner = withMetricsFactory(metrics) {
            let browser = Browser(BrowserConfiguration(types: [.openClaw]), backend: backend)
            return GatewayScanner(configuration, browser: browser, clock: clock)
        }
        try await scanning(with: scanner) { endpoint in
            while await scanner.state.endpoints[endpoint]?.tracker.liveness != .answering { await Task.yield() }
            let question = try #require(await scanner.questions(to: endpoint))
            clock.turn(by: configuration.interval)
            while await scanner.questions(to: endpoint) != question + 1 { await Task.yield() }
        }
        func total(_ label: String, _ dimensions: (String, String)...) throws -> Int64 {
            try metrics.expectCounter(label, dimensions).totalValue
        }
        #expect(try total("clawradar_services_total", ("event", "found")) == 1)
        #expect(try total("clawradar_services_total", ("event", "lost")) == 0)
        #expect(try total("clawradar_backend_status_changes_total", ("status", "running")) == 1)
        #expect(try total("clawradar_probes_total", ("outcome", "optaplus")) == 1)
        #expect(try total("clawradar_probes_total", ("outcome", "no_answer")) == 0)
        #expect(try metrics.expectTimer("clawradar_probe_duration_seconds").values.count == 1)
        #expect(try total("clawradar_checks_total", ("result", "answered")) == 1)
        #expect(try metrics.expectTimer("clawradar_check_round_trip_seconds").values.count == 1)
        #expect(try total("clawradar_map_events_total") > 0)
        #expect(try total("clawradar_map_changes_total", ("change", "found")) >= 1)
        #expect(try metrics.expectMeter("clawradar_map_rows").lastValue == 1)
    }
}

extension GatewayScanner {
    /// Returns the number of questions that an endpoint was asked; `nil` while one of them is open.
    func questions(to endpoint: Endpoint) -> Int? {
        state.endpoints[endpoint].flatMap { $0.question.open == nil ? $0.question.number : nil }
    }
}
