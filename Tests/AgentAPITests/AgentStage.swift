import Foundation
import Glibc
import Synchronization
import Testing

@testable import Agent
@testable import AgentAPI

/// An agent whose parts do not run, which answers at a socket in a folder of its own, and those who ask it.
enum AgentStage {
    /// Runs a closure while the agent answers.
    static func withAgent(_ body: @escaping @Sendable (Agent, AgentClient) async throws -> Void) async throws {
        let folder = "/tmp/clawradar-api-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try #require(mkdir(folder, 0o700) == 0)
        defer { rmdir(folder) }
        var configuration = AgentConfiguration(version: "9.8.7", environment: [:])
        configuration.place = AgentPlace(folder: folder)
        let agent = Agent(configuration)
        let client = AgentClient(socket: configuration.place.socket)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (states, state) = AsyncStream.makeStream(of: String?.self)
            group.addTask { try await AgentServer(agent).part.run(PartReporter { state.yield($0) }) }
            for await trouble in states {
                try #require(trouble == nil)
                break
            }
            defer { group.cancelAll() }
            try await body(agent, client)
        }
        // It has ended, and has taken its socket along.
        #expect(access(configuration.place.socket, F_OK) != 0)
    }

    /// Asks on a thread of its own: asking blocks it, and the agent needs those of the tests. Only an agent that hangs makes it
    /// fail, and not one on a machine that pauses for a second or two.
    static func ask(
        _ client: AgentClient,
        _ target: String,
        method: String = "GET",
        fields: [String: String] = [:],
        body: [UInt8] = []
    ) async throws -> AgentAnswer {
        try await Blocking.run { () throws(AgentClientError) in
            for _ in 0..<10 {
                do throws(AgentClientError) {
                    return try client.ask(method, target, fields: fields, body: body, within: .seconds(60))
                } catch {
                    // Nothing was asked.
                    guard case .silent = error else { throw error }
                }
            }
            throw .silent
        }
    }
}

/// Reads events on threads of their own: reading blocks them.
final class EventReader: Sendable {
    private let client: AgentClient
    private let query: String
    private let identifier: String?
    private let events = Mutex<AgentEvents?>(nil)

    init(_ client: AgentClient, _ query: String = "", after identifier: String? = nil) {
        self.client = client
        self.query = query
        self.identifier = identifier
    }

    func end() { events.withLock(\.self)?.end() }

    func next(silence: Duration = AgentEvents.longestSilence) async throws -> AgentEvents.Event? {
        try await Blocking.run { () throws(AgentClientError) in
            let events = try self.events.withLock { events throws(AgentClientError) in
                if events == nil { events = try AgentEvents(self.client, self.query, after: self.identifier) }
                return events
            }
            return try events?.next(until: .now + .seconds(20), silence: silence)
        }
    }
}

/// Calls that block their thread.
enum Blocking {
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(AgentClientError) -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
        }
    }
}
