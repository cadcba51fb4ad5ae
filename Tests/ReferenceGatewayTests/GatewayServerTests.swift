import DNSSD
import GatewayClient
import GatewayProtocol
import Logging
import ReferenceGateway
import Testing

@Suite(.timeLimit(.minutes(1))) struct GatewayServerTests {
    private static let limits = ConnectionLimits(duration: .seconds(3))

    private func serve(
        _ dialect: GatewayDialect = .optaplus,
        misbehaviour: Misbehaviour? = nil,
        _ body: @escaping @Sendable (GatewayServer) async throws -> Void
    ) async throws {
        let address = try #require(IPAddress("127.0.0.1"))
        var configuration = GatewayServerConfiguration(endpoint: Endpoint(address: address, port: 0), dialect: dialect)
        configuration.misbehaviour = misbehaviour
        configuration.connections = 2
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await GatewayServer.withServer(try .example, configuration, logger: logger, body)
    }

    private static func ask(
        _ connection: inout WebSocketConnection,
        _ method: String,
        _ params: JSONValue
    ) async throws -> Result<JSONValue?, GatewayFailure> {
        try await connection.send(GatewayFrame.request(GatewayRequest(id: "1", method: method, params: params)).encoded)
        guard case .message(let bytes) = await connection.next(),
            case .response(let response) = try GatewayFrame(parsing: bytes)
        else { throw CancellationError() }
        return response.outcome
    }

    @Test func pairsConnectsAndEndsARevokedSession() async throws {
        try await serve { server in
            try await WebSocketConnection.withConnection(to: [server.endpoint], limits: Self.limits) { connection in
                let discovered = try await Self.ask(&connection, "gateway.discover", .object([:])).get()
                #expect(try DiscoverPayload(json: discovered).name == "Home Gateway")
                let device: JSONValue = .object(["deviceId": "d", "deviceName": "n", "requestedBots": "*"])
                let paired = try await Self.ask(&connection, "device.pair", device).get()
                let token = try #require(try DevicePairResult(json: paired).pairings.first?.token.revealed)
                #expect(await server.state.pairings.count == 2)
                let auth: JSONValue = .object(["auth": .object(["token": .string(token)])])
                let hello = try await Self.ask(&connection, "connect", auth).get()
                #expect(hello?["type"]?.string == "hello-ok")
                try await connection.ping()
                #expect(await connection.next() == .pong([]))
                let unpair: JSONValue = .object(["deviceId": "d", "botIds": "*"])
                _ = try await Self.ask(&connection, "device.unpair", unpair).get()
                let last = await connection.next()
                guard case .closed(let close) = last else {
                    Issue.record("\(last)")
                    return
                }
                #expect(close.code == 1_008)
            }
        }
    }

    @Test func moreConnectionsThanAllowedAreRefused() async throws {
        /// Opens a number of connections, each inside the one before.
        @Sendable func hold(_ count: Int, of endpoint: Endpoint) async throws {
            guard count > 0 else { return }
            try await WebSocketConnection.withConnection(to: [endpoint], limits: Self.limits) { _ in
                try await hold(count - 1, of: endpoint)
            }
        }
        try await serve { server in
            await #expect(throws: GatewayConnectionError.self) { try await hold(3, of: server.endpoint) }
        }
    }

    /// The server ends cleanly while connections arrive: a channel that NIO hands out must be closed even at that
    /// moment.
    @Test func endsWhileConnectionsComeIn() async throws {
        for round in 0..<40 {
            let (endpoints, found) = AsyncStream.makeStream(of: Endpoint.self)
            async let clients: Void = withDiscardingTaskGroup { group in
                for await endpoint in endpoints {
                    group.addTask {
                        try? await WebSocketConnection.withConnection(to: [endpoint], limits: Self.limits) { _ in }
                    }
                }
            }
            try await serve(round.isMultiple(of: 2) ? .clawline : .openClaw) { server in
                for _ in 0..<2 { found.yield(server.endpoint) }
                for _ in 0..<round { await Task.yield() }
            }
            found.finish()
            await clients
        }
    }

    @Test func aFrameThatIsTooLongEndsTheConnection() async throws {
        try await serve { server in
            try await WebSocketConnection.withConnection(to: [server.endpoint], limits: Self.limits) { connection in
                try? await connection.send(Array(repeating: UInt8(ascii: " "), count: 65_537))
                guard case .closed = await connection.next() else { throw CancellationError() }
            }
        }
    }

    /// A probe recognizes the gateway in every dialect.
    @Test(arguments: GatewayDialect.allCases)
    func theProbeTellsWhatItIs(dialect: GatewayDialect) async throws {
        try await serve(dialect) { server in
            let target = GatewayProbeTarget(
                endpoints: [server.endpoint],
                rules: TargetRules(origin: .user),
                hints: [ProbeHint(expected: dialect)]
            )
            let report = await GatewayProbe().run(target)
            #expect(report.verdict.dialect == dialect)
        }
    }

    /// Clawline upgrades on another path than the one that the probe tries first. The refusal must be an answer and not
    /// silence, so that the probe goes on.
    @Test func anUpgradeElsewhereIsRefusedAtOnce() async throws {
        try await serve(.clawline) { server in
            let target = GatewayProbeTarget(endpoints: [server.endpoint], rules: TargetRules(origin: .user))
            let report = await GatewayProbe().run(target)
            #expect(report.verdict == .clawline(protocolVersion: 1))
        }
    }

    /// The server upgrades on any path, as released OpenClaw gateways do: one of their clients uses `/gateway` by
    /// default.
    @Test func openClawUpgradesOnAnyPath() async throws {
        try await serve(.openClaw) { server in
            for path in ["/", "/gateway", "/ws?x=1"] {
                try await WebSocketConnection.withConnection(
                    to: [Endpoint(address: server.endpoint.address, port: server.endpoint.port, resource: path)],
                    limits: Self.limits
                ) { connection in
                    guard case .message = await connection.next() else {
                        Issue.record("no challenge on \(path)")
                        return
                    }
                }
            }
        }
        try await serve(.optaplus) { server in
            await #expect(throws: GatewayConnectionError.self) {
                try await WebSocketConnection.withConnection(
                    to: [Endpoint(address: server.endpoint.address, port: server.endpoint.port, resource: "/gateway")],
                    limits: Self.limits
                ) { _ in }
            }
        }
    }

    /// A gateway that floods is recognized by a probe, because it answers before the flood, and a liveness check over a
    /// held connection ends.
    @Test(arguments: [Misbehaviour.pongFlood, .pingFlood, .messageFlood])
    func aFloodingGatewayIsKnownAsOne(misbehaviour: Misbehaviour) async throws {
        try await serve(misbehaviour: misbehaviour) { server in
            let target = GatewayProbeTarget(
                endpoints: [server.endpoint],
                rules: TargetRules(origin: .user),
                hints: [ProbeHint(expected: .optaplus)]
            )
            let report = await GatewayProbe().run(target)
            #expect(report.verdict.dialect == .optaplus)
            let (checks, check) = AsyncStream.makeStream(of: Void.self)
            check.yield()
            let livenessCheck = LivenessCheck(path: try #require(report.path), dialect: .optaplus)
            #expect(await livenessCheck.hold(checks: checks) { _, _ in } == .flooded)
        }
    }

    /// With this misbehaviour, the gateway claims another fingerprint than the one that it advertises.
    @Test func aWrongFingerprintIsSaidAndNotAdvertised() async throws {
        try await serve(misbehaviour: .wrongFingerprint) { server in
            try await WebSocketConnection.withConnection(to: [server.endpoint], limits: Self.limits) { connection in
                let discovered = try await Self.ask(&connection, "gateway.discover", .object([:])).get()
                #expect(try DiscoverPayload(json: discovered).fingerprint == GatewayFingerprint("not-abc123"))
            }
            let record = try await server.state.txtRecord(for: .optaplus, port: 3_000)
            #expect(record.value(forKey: "fp") == .bytes(Array("abc123".utf8)))
        }
    }
}
