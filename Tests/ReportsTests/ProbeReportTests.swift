import GatewayProtocol
import GatewaySamples
import Testing

@testable import Reports

@Suite struct ProbeReportTests {
    /// The JSON of a probe has the same fields for every verdict, and texts in it are exact.
    @Test func jsonIsExactAndAlwaysOfOneShape() {
        let line = ProbeReport(ProbeSamples.report(ProbeSamples.optaplus)).line
        #expect(
            line.hasPrefix(#"{"dialect":"optaplus","elapsedMs":12.345,"endpoint":"10.0.0.1:3000","evidence":null,"#)
        )
        #expect(line.contains(#""name":"Jar\u001b[2Jvis""#))
        let other = ProbeReport(
            ProbeSamples.report(.other(ForeignAnswer(summary: "an SSH server", bytes: Array("SSH-2.0".utf8))))
        )
        .line
        #expect(other.contains(#""dialect":null"#))
        #expect(other.contains(#""firstBytes":"SSH-2.0","gateway":null"#))
    }
}
