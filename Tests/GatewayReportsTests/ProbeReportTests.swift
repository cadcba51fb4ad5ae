import DNSSD
import GatewayProtocol
import GatewayReports
import Testing

@testable import GatewayReports

@Suite struct ProbeReportTests {
    private func report(_ verdict: GatewayVerdict) throws -> GatewayProbeReport {
        let endpoint = Endpoint(address: try #require(IPAddress("10.0.0.1")), port: 3_000)
        let step = GatewayProbeStep(
            kind: .connect,
            endpoint: endpoint,
            result: "connected",
            elapsed: .microseconds(1_250),
            succeeded: true
        )
        return GatewayProbeReport(
            verdict: verdict,
            path: GatewayProbePath(endpoint: endpoint, leaf: nil),
            steps: [step],
            elapsed: .microseconds(12_345)
        )
    }

    private var design: GatewayVerdict {
        get throws {
            let bot = BotDescription(
                id: try #require(BotID("bot-1")),
                name: "Jar\u{1B}[2Jvis",
                emoji: "\u{1F916}",
                status: "online"
            )
            return .optaplus(
                DiscoverPayload(
                    fingerprint: GatewayFingerprint("abc123"),
                    name: "Home",
                    bots: [bot],
                    pairingRequired: true
                )
            )
        }
    }

    @Test func jsonIsExactAndAlwaysOfOneShape() throws {
        let line = ProbeReport(try report(try design)).line
        #expect(
            line.hasPrefix(#"{"dialect":"optaplus","elapsedMs":12.345,"endpoint":"10.0.0.1:3000","evidence":null,"#)
        )
        #expect(line.contains(#""name":"Jar\u001b[2Jvis""#))
        let other = ProbeReport(
            try report(.other(ForeignAnswer(summary: "an SSH server", bytes: Array("SSH-2.0".utf8))))
        )
        .line
        #expect(other.contains(#""dialect":null"#))
        #expect(other.contains(#""firstBytes":"SSH-2.0","gateway":null"#))
    }
}
