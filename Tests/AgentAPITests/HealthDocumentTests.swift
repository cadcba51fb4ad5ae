import GatewayProtocol
import Reports
import Testing

@testable import Agent
@testable import AgentAPI

/// Which part of an agent is not ready, and why.
@Suite struct HealthDocumentTests {
    private func part(_ name: String, _ word: PartState.Word, _ reason: String? = nil) -> AgentPartState {
        AgentPartState(name: name, state: PartState(word, reason: reason, since: .now), ends: 0)
    }

    private func shown(_ parts: [AgentPartState]) throws -> (isReady: Bool, parts: [String]) {
        let document = HealthDocument(parts)
        let json = try JSONValue(parsing: Array(document.line.utf8))
        #expect(json["ready"]?.bool == document.isReady)
        let rows = json["parts"]?.array ?? []
        return (
            document.isReady,
            rows.map { row in
                ["name", "state", "reason"].map { row[$0]?.string ?? "-" }.joined(separator: " ")
            }
        )
    }

    @Test func thePartsThatDoNotWorkAreNamedWithTheirReasons() throws {
        #expect(try shown([part("store", .running), part("api", .running)]) == (true, []))
        // What works as far as it can is ready, and says what it cannot do.
        let impaired = part("scanner", .impaired, "no daemon")
        #expect(try shown([part("api", .running), impaired]) == (true, ["scanner impaired no daemon"]))
        let waiting = part("store", .waiting, "it is\u{202E} locked")
        #expect(
            try shown([waiting, impaired, part("port", .starting)])
                == (false, ["store waiting it is\u{FFFD} locked", "scanner impaired no daemon", "port starting -"])
        )
        for word in PartState.Word.allCases {
            #expect(try shown([part("a", word)]).isReady == [.running, .impaired].contains(word), "\(word)")
        }
    }
}
