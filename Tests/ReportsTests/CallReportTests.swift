import GatewayProtocol
import Testing

@testable import Reports

/// The answer of a gateway survives its way through an agent: what `clawradar call` prints is the same with one.
@Suite struct CallReportTests {
    @Test(arguments: [
        Result<JSONValue?, GatewayFailure>.success(.object(["a": .array([1, .null])])), .success(nil),
        .failure(GatewayFailure(code: "INVALID_REQUEST", message: "no such method", details: .object(["a": 1]))),
    ])
    func itIsReadAsItWasWritten(outcome: Result<JSONValue?, GatewayFailure>) throws {
        let line = CallReport(outcome).line
        #expect(try CallReport(JSONValue(parsing: Array(line.utf8))).outcome == outcome)
    }

    /// The code is what programs look for.
    @Test func aFailureHasItsCode() {
        let report = CallReport(.failure(GatewayFailure(code: "UNAVAILABLE", message: "busy")))
        #expect(report.fields["ok"] == false && report.json["error"]?["code"] == "UNAVAILABLE")
        for other: JSONValue in [.object(["ok": false]), .object([:]), .null] {
            #expect(throws: RecordingProblem.self) { try CallReport(other) }
        }
    }
}
