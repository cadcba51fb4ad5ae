import GatewayProtocol
import GatewaySamples
import Testing

@testable import Commands

@Suite struct ProbeTableTests {
    @Test func tableIsForEyes() {
        let lines = ProbeTable.text(ProbeSamples.report(ProbeSamples.optaplus), width: nil).split(
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

    /// Whoever probes a Clawline provider of another version reads why this program sends it nothing.
    @Test(arguments: [(1, "Clawline, in"), (2, "Clawline of protocol 2, update required: this program speaks 1, in")])
    func aProviderOfAnotherVersionIsNamed(version: Int, line: String) {
        let text = ProbeTable.text(ProbeSamples.report(.clawline(protocolVersion: version)), width: nil)
        #expect(text.split(separator: "\n").contains { $0.hasPrefix(line) }, "\(text)")
    }
}
