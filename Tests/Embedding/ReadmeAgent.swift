import Agent
import Clawradar

// A listing of the guide of embedding, word for word: change both together.

func set(_ agent: Agent) async throws {
    var settings = try AgentSettings(yaml: "notify: {sinks: [{name: desk, desktop: true}]}")
    settings.gateways = [try ProbeAddress("192.168.1.50:3000")]
    agent.take(settings)  // at any time; those of the start are in its AgentConfiguration
    for part in agent.parts where !part.isWorking { print("\(part.name): \(part.reason ?? "not yet")") }
    for pairing in try agent.store?.pairings() ?? [] {
        for credential in pairing.credentials {
            try await agent.withSession(of: credential.id, within: .seconds(10)) { session in
                print(try await session.request("gateway.discover").outcome.get() ?? .null)
            }
        }
    }
}
