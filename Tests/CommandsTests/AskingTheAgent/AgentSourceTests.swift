import DNSSD
import GatewaySamples
import Glibc
import HostSystem
import Reports
import Scanning
import Synchronization
import Testing

@testable import Agent
@testable import AgentAPI
@testable import Commands
@testable import Console

/// A view of what an agent shows, when that ends.
@Suite(.timeLimit(.minutes(1))) struct AgentSourceTests {
    /// The network as a command sees it that looks for itself.
    private struct OwnLook: WatchSource {
        let name = "own"

        func run(
            _ show: @escaping @Sendable (ConstellationUpdate, Timestamp) throws -> Void,
            looked: (@Sendable (Timestamp) throws -> Void)?
        ) async throws {
            try show(.changes([], revision: 99), .now)
        }
    }

    private let place = AgentPlace(
        folder: "/tmp/clawradar-source-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    )

    /// Starts an agent that answers and whose parts do not run.
    private func start(version: String) async throws -> Task<Void, any Error> {
        var configuration = AgentConfiguration(version: version, environment: [:])
        configuration.place = place
        let agent = Agent(configuration)
        await agent.constellation.apply(.serviceFound(try Fixture.service(name: "Kitchen")))
        let (states, state) = AsyncStream.makeStream(of: String?.self)
        let task = Task { try await AgentServer(agent).part.run(PartReporter { state.yield($0) }) }
        for await trouble in states {
            #expect(trouble == nil)
            break
        }
        return task
    }

    private static func trouble(_ update: ConstellationUpdate?) -> BackendError? {
        guard let condition = update?.backends.first, condition.source == .agent,
            case .unavailable(let error) = condition.status
        else { return nil }
        return error
    }

    /// An agent that comes back in another version is not read. It is named, and the command looks for itself at once.
    @Test func anAgentOfAnotherVersionIsNamedAndNotRead() async throws {
        try #require(mkdir(place.folder, 0o700) == 0)
        defer { rmdir(place.folder) }
        let client = AgentClient(socket: place.socket)
        let agent = try await start(version: CommandLineTool.version)
        let events = try await LoopThread.run(name: "events") { try AgentEvents(client, AgentSource.query) }
        let (updates, update) = AsyncStream.makeStream(of: ConstellationUpdate.self)
        let view = Task {
            defer { update.finish() }
            try await AgentSource(client: client, events: events) { OwnLook() }.run { shown, _ in update.yield(shown) }
        }
        var shown = updates.makeAsyncIterator()
        guard case .snapshot(let snapshot)? = await shown.next() else {
            Issue.record("expected a snapshot first")
            return
        }
        #expect(snapshot.services.count == 1)

        agent.cancel()
        _ = await agent.result
        let other = try await start(version: "0.0.1")
        let end = Self.trouble(await shown.next())
        #expect(end?.code == .noDaemon && end?.message.contains("has ended") == true, "\(String(describing: end))")
        let reason = Self.trouble(await shown.next())
        #expect(reason?.code == .internalFault && reason?.message.contains("0.0.1") == true)
        #expect(await shown.next() == .changes([], revision: 99))
        #expect(await shown.next() == nil)
        try await view.value
        other.cancel()
        _ = await other.result
    }
}
