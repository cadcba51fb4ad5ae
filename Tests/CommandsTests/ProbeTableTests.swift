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
}
