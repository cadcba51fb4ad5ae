import DNSSD
import GatewayClient
import GatewayProtocol
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Testing

/// Gateways with long round-trip times: a late answer is either recognized or missing, and never mistaken for something
/// else.
@Suite(.timeLimit(.minutes(1))) struct SlowGatewayTests {
    private static let discovered =
        #"{"type":"res","id":"1","ok":true,"payload":{"gatewayFingerprint":"abc123","gatewayName":"Home","bots":[]}}"#
    private static let optaplus = TestServer.Behaviour.webSocket(answer: { _ in [.text(discovered)] })

    private static func probe(
        _ server: TestServer,
        _ configuration: GatewayProbeConfiguration = GatewayProbeConfiguration(),
        transports: ProbeTransports = .plainFirst
    ) async -> GatewayProbeReport {
        let target = GatewayProbeTarget(
            endpoints: [server.endpoint],
            rules: TargetRules(origin: .user),
            hints: [ProbeHint(expected: .optaplus, transports: transports)]
        )
        return await GatewayProbe(configuration).run(target)
    }

    /// The handshake and the exchange after it have separate time limits, so that both succeed on a slow path.
    @Test(arguments: [100, 1_100], [false, true])
    func roundTripsOfPartsOfTheLimit(milliseconds: Int64, tls: Bool) async throws {
        // Two round trips and the time for a greeting need three quarters of the limit.
        let configuration = GatewayProbeConfiguration(
            limits: ConnectionLimits(duration: .seconds(3)),
            duration: .seconds(15)
        )
        try await TestServer.run(Self.optaplus, tls: tls, roundTrip: .milliseconds(milliseconds)) { server in
            let report = await Self.probe(server, configuration, transports: tls ? .tlsFirst : .plainFirst)
            #expect(report.verdict.dialect == .optaplus, "\(report)")
            let connecting = try #require(report.connecting)
            #expect(connecting < .milliseconds(1_000), "only the time of connecting must be counted")
        }
    }

    /// The time limit of a step grows with the round-trip time. Here the first packet is lost, which costs a second,
    /// and each answer takes 800 ms.
    @Test(arguments: [false, true])
    func theTimeOfAStepGrowsWithTheRoundTrip(tls: Bool) async throws {
        try await TestServer.run(Self.optaplus, tls: tls, roundTrip: .milliseconds(800), isFull: true) { server in
            let report = await Self.probe(server, transports: tls ? .tlsFirst : .plainFirst)
            #expect(report.verdict.dialect == .optaplus, "\(report)")
            let connecting = try #require(report.connecting)
            #expect(connecting > .milliseconds(900))
            let livenessCheck = LivenessCheck(
                path: try #require(report.path),
                dialect: .optaplus,
                connecting: report.connecting
            )
            #expect(livenessCheck.answerTimeout == connecting * 5)
            guard case .answered(let time, nil) = await livenessCheck.ask() else {
                Issue.record("the ping must be answered")
                return
            }
            #expect(time > .milliseconds(700))
        }
    }

    /// A server that upgrades and then says nothing is reported as silent, and not as a web server because of its
    /// answers to HTTP.
    @Test(arguments: [400, 404]) func anUpgradeWithoutAnAnswerIsNoWebServer(status: Int) async throws {
        let behaviour = TestServer.Behaviour.webSocket(http: { _ in .init(status: .init(statusCode: status)) })
        try await TestServer.run(behaviour) { server in
            let configuration = GatewayProbeConfiguration(limits: ConnectionLimits(duration: .milliseconds(300)))
            let report = await Self.probe(server, configuration)
            #expect(report.verdict == .nothing(.noAnswer(within: .milliseconds(300))), "\(report)")
            #expect(report.connecting == nil)
        }
    }

    /// A longer time for the whole probe allows more steps, but does not prolong a single one: a silent peer is
    /// reported as soon as before.
    @Test func theTimeOfTheUserIsThatOfAllSteps() async throws {
        #expect(GatewayProbeConfiguration.duration(within: .seconds(3)) == .seconds(5))
        #expect(GatewayProbeConfiguration.duration(within: .seconds(20)) == .seconds(20))
        try await TestServer.run(.raw()) { server in
            let report = await Self.probe(server, GatewayProbeConfiguration(duration: .seconds(20)))
            #expect(report.verdict == .nothing(.noAnswer(within: .seconds(1))))
            #expect("\(report.verdict.summary)" == "no answer in 1 s")
            #expect(report.elapsed < .seconds(10))
        }
    }
}
