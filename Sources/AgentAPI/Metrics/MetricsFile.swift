package import Agent
internal import CoreMetrics
internal import Glibc
internal import HostSystem
internal import SystemPackage

/// Writes what an agent has measured to a file, again and again, for a collector of text files such as that of
/// node_exporter. Each time the file is replaced as a whole, so that nobody reads half of it.
package struct MetricsFile: Sendable {
    /// The time between two writes.
    private static let interval = Duration.seconds(15)

    private let path: String
    private let agent: Agent

    /// Makes what writes the metrics of an agent.
    ///
    /// - Parameter path: The path of the file. Every user may read it: there is no secret in it.
    package init(_ path: String, of agent: Agent) {
        self.path = path
        self.agent = agent
    }

    /// It as a part of its agent.
    package var part: AgentPart { AgentPart("metrics file") { try await run($0) } }

    /// Writes until the task is cancelled, and then removes the file: numbers that do not change any more would say that
    /// all is well.
    private func run(_ reporter: PartReporter) async throws {
        let file = SafeFile(path: FilePath(path))
        defer { unlink(path) }
        // What a killed agent has left is in nobody's way.
        try? file.sweep()
        repeat {
            let text = await MetricsDocument(agent, MetricsSystem.factory as? MetricsRegistry).text
            do throws(SafeFileError) {
                try file.writeForAll(Array(text.utf8))
                reporter.works()
            } catch {
                reporter.isImpaired("it cannot be written: \(error.description)")
            }
            try await Task.sleep(for: Self.interval)
        } while !Task.isCancelled
    }
}
