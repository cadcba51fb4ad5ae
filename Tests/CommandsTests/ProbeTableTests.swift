import DNSSD
import GatewayProtocol
import GatewayReports
import Testing

@testable import Commands

@Suite struct ProbeTableTests {
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

    @Test func tableIsForEyes() throws {
        let lines = ProbeTable.text(try report(try design), width: nil).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(
            lines == [
                "STEP     WHERE          TIME    ASKED  RESULT",
                "connect  10.0.0.1:3000  1.2 ms         connected",
                "",
                "gateway \u{201C}Home\u{201D} with 1 bot, in 12.3 ms",
                "fingerprint: abc123",
                "pairing required: yes",
                "  \u{1F916} Jar\u{FFFD}[2Jvis (bot-1, online)",
                "",
            ]
        )
    }
}
