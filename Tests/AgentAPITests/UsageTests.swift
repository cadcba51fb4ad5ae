import Agent
import AgentAPI
import CoreMetrics
import TestSupport
import Testing

// The listings in *Usage* sections of doc comments of `AgentAPI` and `AgentClient`, word for word: change both together.

private func serving(_ configuration: AgentConfiguration) async throws {
    let agent = Agent(configuration)
    try await agent.run(with: [AgentServer(agent).part])
}

private func counting() {
    let registry = MetricsRegistry()
    MetricsSystem.bootstrap(registry)
}

private func asking(_ path: String) throws -> Any {
    let answer = try AgentClient(socket: path).ask("GET", "/api/v1/gateways")
    return answer
}

/// The *Usage* sections of doc comments compile.
@Suite struct UsageTests {
    @Test(arguments: ["AgentAPI", "AgentClient"]) func theUsagesAreCompiled(module: String) throws {
        let usages = try SourceFile.all(of: module).flatMap(\.usages)
        #expect(!usages.isEmpty)
        #expect(try usages.filter { try !$0.isCompiled(in: #filePath) } == [])
    }
}
