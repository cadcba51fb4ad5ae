import Foundation
import Glibc
import Testing

@testable import Agent
@testable import AgentAPI

/// The file with metrics, in a folder into which others may put things.
@Suite(.timeLimit(.minutes(1))) struct MetricsFileTests {
    /// A pipe in its place, and one of a name that can be guessed, neither stop the metrics nor the end of the agent.
    @Test func aPipeOfOthersHoldsNothingUp() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-metrics-\(UUID().uuidString)")
            .path
        let path = "\(folder)/clawradar.prom"
        try #require(mkdir(folder, 0o755) == 0)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let planted = "\(path).\(getpid())"
        try #require(mkfifo(path, 0o666) == 0 && mkfifo(planted, 0o666) == 0)
        let agent = Agent(AgentConfiguration(version: "9.8.7", environment: [:]))
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (states, state) = AsyncStream.makeStream(of: String?.self)
            group.addTask { try await MetricsFile(path, of: agent).part.run(PartReporter { state.yield($0) }) }
            for await trouble in states {
                #expect(trouble == nil)
                break
            }
            var status = stat()
            try #require(lstat(path, &status) == 0)
            #expect(status.st_mode == S_IFREG | 0o644)
            #expect(try String(contentsOfFile: path, encoding: .utf8).contains("clawradar_gateways"))
            group.cancelAll()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["clawradar.prom.\(getpid())"])
    }
}
