import DNSSD
import GatewayProtocol
import NIOHTTP1
import Testing

@testable import GatewayClient

/// The question whether a gateway can do its work, and which answers count.
@Suite(.timeLimit(.minutes(1))) struct ReadinessCheckTests {
    private static func limits(_ duration: Duration) -> ConnectionLimits {
        ConnectionLimits(frameBytes: 8_192, connectionBytes: 32_768, duration: duration)
    }

    private static let live = TestServer.WebAnswer(status: .ok, body: #"{"ok":true,"status":"live"}"#)
    private static let deaf = TestServer.WebAnswer(
        status: .serviceUnavailable,
        body: #"{"ready":false,"failing":["discord"]}"#
    )
    private static let vague = TestServer.WebAnswer(status: .serviceUnavailable, body: #"{"ready":false}"#)
    private static let starting = TestServer.WebAnswer(
        status: .serviceUnavailable,
        body: #"{"ok":false,"status":"starting"}"#
    )
    private static let started = TestServer.WebAnswer(status: .ok, body: #"{"ok":true,"status":"started"}"#)
    private static let forbidden = TestServer.WebAnswer(status: .forbidden, body: #"{"error":"unauthorized"}"#)

    /// Asks a server with these pages; all others are its control page.
    private func ask(
        _ pages: [String: TestServer.WebAnswer],
        at resource: String = "/"
    ) async throws -> (result: ReadinessCheck.Result, connections: Int) {
        let page = TestServer.WebAnswer(status: .ok, headers: [("Content-Type", "text/html")], body: "<!doctype html>")
        var found: (result: ReadinessCheck.Result, connections: Int)?
        try await TestServer.run(.webSocket(path: nil, http: { pages[$0] ?? page })) { server in
            let place = Endpoint(address: server.endpoint.address, port: server.endpoint.port, resource: resource)
            let path = GatewayProbePath(endpoint: place, leaf: nil)
            found = await ReadinessCheck(path: path, limits: Self.limits(.seconds(10))).ask()
        }
        return try #require(found)
    }

    @Test func whatAGatewaySaysIsTaken() async throws {
        let ready = TestServer.WebAnswer(status: .ok, body: #"{"ready":true}"#)
        var (result, connections) = try await ask(["/readyz": ready])
        #expect(result == .said(.ready) && connections == 1)
        (result, connections) = try await ask(["/readyz": Self.deaf, "/healthz": Self.live])
        #expect(result == .said(.failing(["discord"])) && connections == 2)
        (result, connections) = try await ask([
            "/readyz": Self.vague, "/startupz": Self.starting, "/healthz": Self.live,
        ])
        #expect(result == .said(.starting) && connections == 3)
        (result, _) = try await ask(["/readyz": Self.vague, "/startupz": Self.started, "/healthz": Self.live])
        #expect(result == .said(.failing([])))
        // Those who may not know whether it is ready may know that it starts.
        (result, _) = try await ask(["/readyz": Self.forbidden, "/startupz": Self.starting, "/healthz": Self.live])
        #expect(result == .said(.starting))
    }

    /// A gateway that does not say it is never *not ready*.
    @Test(arguments: [
        ["/readyz": forbidden, "/startupz": forbidden, "/healthz": live],
        ["/readyz": forbidden, "/startupz": started, "/healthz": live],
        ["/readyz": .init(status: .notFound), "/startupz": .init(status: .notFound), "/healthz": live],
        ["/healthz": live], [:],
        // The 503 of a front, or of something else that has the port now.
        ["/readyz": deaf], ["/readyz": deaf, "/healthz": .init(status: .serviceUnavailable)],
        ["/readyz": .init(status: .serviceUnavailable, body: "<html>"), "/healthz": live],
    ])
    func anythingElseIsUnsaid(pages: [String: TestServer.WebAnswer]) async throws {
        #expect(try await ask(pages).result == .unsaid)
    }

    /// Behind a front, the pages below the gateway's own path count, and those of the whole server are another's.
    @Test func atAPathItsOwnPagesCount() async throws {
        let others = ["/readyz": Self.deaf, "/startupz": Self.starting, "/healthz": Self.live]
        #expect(try await ask(others, at: "/kitchen").result == .unsaid)
        let own = ["/kitchen/readyz": Self.deaf, "/kitchen/healthz": Self.live]
        #expect(try await ask(own, at: "/kitchen").result == .said(.failing(["discord"])))
    }

    @Test func oneThatDoesNotAnswerIsSilent() async throws {
        var found: ReadinessCheck.Result?
        try await TestServer.run(.raw()) { server in
            let path = GatewayProbePath(endpoint: server.endpoint, leaf: nil)
            found = await ReadinessCheck(path: path, limits: Self.limits(.milliseconds(500))).ask().result
        }
        #expect(found == .silent)
    }
}
