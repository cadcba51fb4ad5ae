import ArgumentParser
import Console
import DNSSD
import GatewayProtocol
import Reports
import Scanning
import Testing

@testable import Agent
@testable import Commands
@testable import Pairing

/// `doctor` with an agent: it says what it says without, and never less.
@Suite(.timeLimit(.minutes(1))) struct DoctorByAgentTests {
    private static func inquiry(_ name: String) throws -> DoctorInquiry {
        DoctorInquiry(
            subject: try ProbeSubject(name),
            timeout: TimeLimit(seconds: 1),
            common: try CommonOptions.parse([]),
            progress: nil,
            agent: try AgentOption.parse([]),
            isUsual: true
        )
    }

    /// The commands name the gateway as it was typed, by whichever carrier, since that is what the user knows it by; whoever has
    /// typed nothing reads its own name. A word that could not be copied has the address in its place.
    @Test func theCommandsHaveTheNameThatWasTyped() async throws {
        try await RadarStage.with { stage in
            let place = Endpoint(address: .v4(IPv4Address(bits: 127 << 24 | 1)), port: 3_000)
            let identity = GatewayIdentity(name: "Home Gateway", dialect: .openClaw)
            await stage.agent.constellation.apply([
                .endpointAdded(place, .local), .probed(place, .gateway(identity)), .liveness(place, .answering),
            ])
            let rows = await stage.agent.constellation.gateways
            let row = try #require(rows.first)
            let words = [("home", "\"home\""), (nil, "\"Home Gateway\""), ("$(id)", "\"\(place)\"")]
            for (name, word) in words {
                for radar in [stage.agent.radar, AgentRadar(stage.client)] as [any Radar] {
                    let report = try await radar.diagnose("\(row.id)", typed: name, within: .milliseconds(200))
                    #expect(report.word == word, "\(report)")
                }
            }
            let local = InProcessRadar(stage.store, version: "1")
            let told = try await Self.inquiry("home").ask(AgentRadar(stage.client), local) { rows }
            guard case .report(let report) = told else {
                Issue.record("expected a report, found \(told)")
                return
            }
            #expect(report.word == "\"home\"")
        }
    }

    /// A gateway that is gone meanwhile, an agent whose store is not open or that dies: a diagnosis changes nothing, so that
    /// the verb makes it itself.
    @Test func anErrorOfTheAgentEndsNothing() async throws {
        let mortal = try MortalAgent(nil)
        let pairing = try CarriedNothing().present
        try await RadarStage.with { stage in
            try stage.store.insert(pairing, secrets: [:])
            let local = InProcessRadar(stage.store, version: "1")
            let inquiry = try Self.inquiry(pairing.shortID)
            // Another store, in which the pairing is not.
            try await RadarStage.with { other in
                let agents: [any Radar] = [
                    AgentRadar(other.client), InProcessRadar(nil, version: "1"),
                    AgentRadar(AgentClient(socket: mortal.path)),
                ]
                for agent in agents {
                    let told = try await inquiry.ask(agent, local) { [] }
                    #expect(told == .nothing)
                }
            }
        }
    }

    /// Who has asked again after a revocation waits for an approval: the agent is not asked for a diagnosis then, which
    /// knows nothing of the name, but can still be asked for its open requests. One that has not looked is asked for
    /// nothing more.
    @Test func ofAnEndedPairingTheAgentKnowsTheRequests() async throws {
        var attic = try CarriedNothing().present
        attic.name = "Attic"
        let pairing = attic
        try await RadarStage.with { stage in
            let local = InProcessRadar(stage.store, version: "1")
            let inquiry = try Self.inquiry("Attic")
            #expect(try await inquiry.ask(AgentRadar(stage.client), local) { nil } == .silence)
            #expect(try await inquiry.ask(AgentRadar(stage.client), local) { [] } == .nothing)
            try stage.store.insert(pairing, secrets: [:])
            try stage.store.moveToBin(pairing.id, reason: .revoked("removed"), at: Timestamp.now.milliseconds)
            #expect(try await inquiry.ask(AgentRadar(stage.client), local) { nil } == .nothing)
        }
    }
}
