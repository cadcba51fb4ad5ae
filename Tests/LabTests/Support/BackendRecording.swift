import Foundation
import Glibc
import Testing

/// A process that uses a single backend on a host of the lab, without companions: `test-tool backend-recorder`.
final class BackendRecording: Sendable {
    /// An event, as the recorder prints it.
    struct Event: Decodable, Sendable {
        struct Path: Hashable {
            let interface: String?
            let family: String?
        }

        let event: String
        let name: String?
        let interface: String?
        let family: String?
        let isResolved: Bool?
        let host: String?
        let port: UInt16?
        let addresses: [String]?
        let txt: [String]?
        let source: String?
        let reason: String?
        let descriptors: Int?
        let threads: Int?
        let milliseconds: Int?

        var path: Path { Path(interface: interface, family: family) }
    }

    /// A backend, and the host on which it is tried.
    struct Subject: Sendable, CustomTestStringConvertible {
        let backend: String
        let host: String
        /// The daemon that the backend needs on that host; `nil` if it needs none.
        let daemon: String?

        var testDescription: String { backend }
    }

    let process: LabProcess

    init(_ subject: Subject, _ arguments: String...) throws {
        process = try Lab.start(on: subject.host, [Lab.testTool, "backend-recorder", subject.backend] + arguments)
    }

    /// All events that it has printed.
    var events: [Event] { process.lines.compactMap { Self.event($0.text) } }

    /// Waits for the next event that fulfils the condition, and skips those before it.
    @discardableResult
    func event(
        _ description: String,
        within limit: Duration = .seconds(10),
        where condition: @escaping @Sendable (Event) -> Bool
    ) async throws -> (event: Event, time: ContinuousClock.Instant) {
        let line = try await process.line(within: limit, description) { Self.event($0).map(condition) ?? false }
        return (try #require(Self.event(line.text)), line.time)
    }

    /// Returns the paths on which an instance is seen now, each with the last sighting.
    func sightings(of name: String) -> [Event.Path: Event] {
        var sightings: [Event.Path: Event] = [:]
        for event in events where event.name == name {
            switch event.event {
            case "sighted": sightings[event.path] = event
            case "vanished": sightings[event.path] = nil
            default: break
            }
        }
        return sightings
    }

    /// Waits until the present sightings of an instance fulfil the condition.
    ///
    /// - Returns: `false` if they do not within the limit.
    func wait(
        for name: String,
        within limit: Duration = .seconds(10),
        until condition: ([Event.Path: Event]) -> Bool
    ) async -> Bool {
        await InProcess.wait(within: limit) { condition(sightings(of: name)) }
    }

    @discardableResult
    func stop(_ signal: Int32 = SIGTERM) async throws -> LabProcess.Result {
        try await process.stop(signal)
    }

    private static func event(_ line: String) -> Event? {
        try? JSONDecoder().decode(Event.self, from: Data(line.utf8))
    }
}
