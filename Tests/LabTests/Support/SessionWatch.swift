import Foundation

/// A running `clawradar connect`, and what it prints.
final class SessionWatch: Sendable {
    /// A line of it.
    struct Session: Decodable {
        let name: String
        let state: String
        let path: String?
    }

    private let process: LabProcess

    init(of device: LabDevice) throws {
        process = try Lab.start(on: device.host.name, device.command(["connect", "--format", "ndjson"]))
    }

    /// Waits for the next line about a gateway that has this state, and a path that ends so if one is given.
    ///
    /// - Returns: When it came.
    func next(
        _ name: String,
        _ state: String,
        at place: String = "",
        within limit: Duration
    ) async throws -> ContinuousClock.Instant {
        try await process.line(within: limit, "session with \(name) that is \(state) \(place)") { line in
            guard let session = Self.session(line) else { return false }
            return session.name == name && session.state == state && (session.path ?? "").hasSuffix(place)
        }.time
    }

    /// The last line about the session with a gateway.
    func last(_ name: String) -> Session? {
        process.lines.compactMap { Self.session($0.text) }.last { $0.name == name }
    }

    /// The time at which the session with a gateway first came to a state after another time.
    func time(of name: String, _ state: String, after time: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        process.lines.first { line in
            guard line.time > time, let session = Self.session(line.text) else { return false }
            return session.name == name && session.state == state
        }?.time
    }

    private static func session(_ line: String) -> Session? {
        try? JSONDecoder().decode(Session.self, from: Data(line.utf8))
    }

    /// Ends it.
    func stop() async throws {
        try await process.stop()
    }
}
