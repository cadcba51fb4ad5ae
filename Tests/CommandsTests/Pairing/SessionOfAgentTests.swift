import GatewayProtocol
import Testing

@testable import Commands

/// `connect NAME` returns when an agent keeps the session, and says what has become of it.
@Suite struct SessionOfAgentTests {
    private static func session(_ states: [String], of id: Character = "a") throws -> SessionOfAgent {
        let reports = states.map { state in
            JSONValue.object([
                "pairing": .string(String(repeating: id, count: 32)), "state": .string(state),
                "reason": .string("it is \(state)"),
            ])
        }
        return SessionOfAgent(try Pairings.pairing("Home", id: "a"), among: reports)
    }

    @Test(arguments: ["connected", "refused", "moved", "sealed", "waiting", "held-elsewhere"])
    func whatIsKnownEndsTheWait(state: String) throws {
        let session = try Self.session([state])
        #expect(session.isDecided && session.line.contains(#""state":"\#(state)""#))
    }

    /// An agent that has not read yet that it is wanted says that it is disconnected.
    @Test func whatIsStillTriedIsWaitedFor() throws {
        #expect(try !Self.session(["disconnected"]).isDecided)
        #expect(try !Self.session(["connecting"]).isDecided)
        #expect(try !Self.session([]).isDecided)
        #expect(try !Self.session(["connected"], of: "b").isDecided)
    }

    @Test func itSaysWhoKeepsItAndHowItEnds() throws {
        let connected = try Self.session(["held-elsewhere", "connected"]).text
        #expect(connected.contains("the agent keeps it so") && connected.contains("clawradar disconnect \"Home\"\n"))
        let refused = try Self.session(["refused"]).text
        #expect(refused.contains("refused, it is refused. ") && refused.contains("clawradar status\n"), "\(refused)")
        #expect(try Self.session([]).text.contains("clawradar status\n") && Self.session([]).line.isEmpty)
    }
}
