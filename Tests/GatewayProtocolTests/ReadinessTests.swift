import GatewayProtocol
import Testing

/// The readiness that a gateway reports, and what is no such report.
@Suite struct ReadinessTests {
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(arguments: [
        (200, #"{"ready":true,"failing":[],"uptimeMs":123}"#, Readiness.ready), (200, #"{"ready":true}"#, .ready),
        (503, #"{"ready":false}"#, .failing([])),
        (
            503, #"{"ready":false,"failing":["discord","",7,"telegram"],"uptimeMs":8000}"#,
            .failing(["discord", "telegram"])
        ),
    ])
    func readyz(status: Int, body: String, expected: Readiness) {
        #expect(Readiness(status: status, readiness: Self.bytes(body)) == expected)
    }

    @Test(arguments: [
        (503, #"{"ok":false,"status":"starting","pendingReason":"startup-sidecars"}"#, Readiness.starting),
        (503, #"{"ok":false,"status":"draining"}"#, .draining),
    ])
    func startupz(status: Int, body: String, expected: Readiness) {
        #expect(Readiness(status: status, startup: Self.bytes(body)) == expected)
    }

    /// An answer that is no such report is never taken for *not ready*.
    @Test(arguments: [
        (403, #"{"ready":false}"#), (404, "Not Found"), (200, "<html>"), (503, "<html>503</html>"), (503, ""),
        (200, #"{"ready":false}"#), (503, #"{"ready":true}"#), (503, #"{"ready":"false"}"#), (503, "[]"),
        (503, #"{"error":"unavailable"}"#), (502, #"{"ready":false}"#), (500, #"{"ok":false,"status":"starting"}"#),
        (200, #"{"ok":false,"status":"starting"}"#), (503, #"{"ok":false,"status":"late"}"#),
        (200, #"{"ok":true,"status":"started"}"#), (503, #"{"ready":false"#),
    ])
    func anythingElseIsNotKnown(status: Int, body: String) {
        #expect(Readiness(status: status, readiness: Self.bytes(body)) == nil)
        #expect(Readiness(status: status, startup: Self.bytes(body)) == nil)
    }

    @Test func whatIsNamedIsBounded() {
        let names = (0..<20).map { "\"\($0)-\(String(repeating: "x", count: 1_000))\"" }.joined(separator: ",")
        let body = Self.bytes(#"{"ready":false,"failing":[\#(names)]}"#)
        guard case .failing(let parts) = Readiness(status: 503, readiness: body) else {
            Issue.record("not understood")
            return
        }
        #expect(parts.count == 8 && parts.allSatisfy { $0.count == 64 })
    }
}
