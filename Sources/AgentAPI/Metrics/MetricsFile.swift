public import Agent
internal import CoreMetrics
internal import Glibc
internal import SystemPackage

/// Writes what an agent has measured to a file, again and again, for a collector of text files such as that of
/// node_exporter. Each time the file is replaced as a whole, so that nobody reads half of it.
public struct MetricsFile: Sendable {
    /// The time between two writes.
    private static let interval = Duration.seconds(15)

    private let path: String
    private let agent: Agent

    /// Makes what writes the metrics of an agent.
    ///
    /// - Parameter path: The path of the file. Every user may read it: there is no secret in it.
    public init(_ path: String, of agent: Agent) {
        self.path = path
        self.agent = agent
    }

    /// It as a part of its agent.
    public var part: AgentPart { AgentPart("metrics file") { try await run($0) } }

    /// Writes until the task is cancelled, and then removes the file: numbers that do not change any more would say that
    /// all is well.
    private func run(_ reporter: PartReporter) async throws {
        defer { unlink(path) }
        repeat {
            let text = await MetricsDocument(agent, MetricsSystem.factory as? MetricsRegistry).text
            do {
                try write(text)
                reporter.works()
            } catch {
                reporter.isImpaired("\(path) cannot be written: \(error)")
            }
            try await Task.sleep(for: Self.interval)
        } while !Task.isCancelled
    }

    private func write(_ text: String) throws {
        let temporary = FilePath("\(path).\(getpid())")
        let descriptor = try FileDescriptor.open(
            temporary,
            .writeOnly,
            options: [.create, .truncate, .closeOnExec, .noFollow],
            permissions: [.ownerReadWrite, .groupRead, .otherRead]
        )
        do {
            try descriptor.closeAfter { _ = try descriptor.writeAll(text.utf8) }
            guard rename(temporary.string, path) == 0 else { throw Errno(rawValue: errno) }
        } catch {
            unlink(temporary.string)
            throw error
        }
    }
}
