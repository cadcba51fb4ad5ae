import Agent
import Clawradar
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// A daemon with the agent as one of its services, which prints what the agent knows, until Ctrl-C.
@main
struct EmbeddedAgent: Service {
    let agent: Agent

    static func main() async throws {
        let agent = Agent(AgentConfiguration(version: "1.0", environment: ProcessInfo.processInfo.environment))
        let services: [any Service] = [agent, EmbeddedAgent(agent: agent)]
        let logger = Logger(label: "daemon")
        try await ServiceGroup(services: services, gracefulShutdownSignals: [.sigint, .sigterm], logger: logger).run()
    }

    func run() async throws {
        for await gateways in agent.constellation.currentGateways.cancelOnGracefulShutdown() {
            print(gateways.map { "\(DisplayText($0.name)): \($0.bots.count) bots" })
            // At once, even if the output is a pipe.
            fflush(nil)
        }
    }
}
