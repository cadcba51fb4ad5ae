import Agent
import AgentAPI
import CoreMetrics
import TestSupport
import Testing

// The listings in *Usage* sections of doc comments of `AgentAPI`, word for word: change both together.

private func serving(_ configuration: AgentConfiguration) async throws {
    let agent = Agent(configuration)
    try await agent.run(with: [AgentServer(agent).part])
}

private func counting() {
    let registry = MetricsRegistry()
    MetricsSystem.bootstrap(registry)
}

/// The *Usage* sections of doc comments compile.
@Suite struct UsageTests {
    @Test func theUsagesAreCompiled() throws {
        let usages = try SourceFile.all(of: "AgentAPI").flatMap(\.usages)
        #expect(!usages.isEmpty)
        #expect(try usages.filter { try !$0.isCompiled(in: #filePath) } == [])
    }
}
