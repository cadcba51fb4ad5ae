import Foundation

/// A running `clawradar connect`, and its output.
final class SessionWatch: Sendable {
    /// A line of its output: the state of the session with one gateway.
    struct Session: Decodable {
        let event: String
        let name: String
        let state: String
        let path: String?
        let reason: String?
    }

    /// The time between two checks of its output.
    private static let interval = Duration.milliseconds(25)

    let process: LabProcess

    /// - Parameters:
    ///   - device: The device that connects.
    ///   - scene: The place in which it runs, if the test makes it crash.
    ///   - environment: More variables of its environment, as `NAME=VALUE`.
    ///   - options: More options of `clawradar connect`.
    init(
        of device: LabDevice,
        scene: CrashScene? = nil,
        environment: [String] = [],
        _ options: [String] = []
    ) throws {
        let command = ["env"] + environment + device.command(["connect", "--format", "ndjson"] + options)
        process = try Lab.start(on: device.host.name, scene?.command(command) ?? command)
    }

    /// Waits for the next line with a state of the session with a gateway.
    ///
    /// - Parameter place: The end of the path in that line, such as a port.
    /// - Returns: The time of that line.
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

    /// Waits for the first line after a given time with a state of the session with a gateway, and with a path if one
    /// is given.
    ///
    /// - Returns: The time of that line; `nil` if there is none within the limit.
    func first(
        _ name: String,
        _ state: String,
        at place: String? = nil,
        after time: ContinuousClock.Instant,
        within limit: Duration = .seconds(10)
    ) async throws -> ContinuousClock.Instant? {
        var patience = Patience(limit)
        while true {
            if let found = self.time(of: name, state, at: place, after: time) { return found }
            guard patience.isLeft() else { return nil }
            try await Task.sleep(for: Self.interval)
        }
    }

    /// Waits until the last line about a gateway has this state.
    ///
    /// - Returns: `false` if it does not have this state within the limit.
    func settles(_ name: String, _ state: String, within limit: Duration = .seconds(10)) async throws -> Bool {
        try await session(name, state, within: limit) != nil
    }

    /// Waits until the last line about the session with a gateway has a state, and perhaps one of these paths.
    ///
    /// - Returns: The session; `nil` if it has another state when the time is over.
    func session(
        _ name: String,
        _ state: String,
        on paths: [String]? = nil,
        within limit: Duration
    ) async throws -> Session? {
        var patience = Patience(limit)
        while true {
            if let last = last(name), last.state == state, paths?.contains(last.path ?? "") != false { return last }
            guard patience.isLeft() else { return nil }
            try await Task.sleep(for: Self.interval)
        }
    }

    /// Returns the last line about the session with a gateway.
    func last(_ name: String) -> Session? {
        process.lines.reversed().lazy.compactMap { Self.session($0.text) }.first { $0.name == name }
    }

    /// Returns the time of the first line after a given time with a state of the session with a gateway, and with a
    /// path if one is given.
    func time(
        of name: String,
        _ state: String,
        at place: String? = nil,
        after time: ContinuousClock.Instant
    ) -> ContinuousClock.Instant? {
        process.lines.first { line in
            guard line.time > time, let session = Self.session(line.text) else { return false }
            return session.name == name && session.state == state && (place == nil || session.path == place)
        }?.time
    }

    /// The last hundred lines of its log.
    var lastLog: String { process.errorText.split(separator: "\n").suffix(100).joined(separator: "\n") }

    /// Returns the states of the session with a gateway since a time, one per line, for a message.
    func transcript(of name: String, since time: ContinuousClock.Instant) -> String {
        process.lines.filter { $0.time > time }.compactMap { line in
            guard let session = Self.session(line.text), session.name == name else { return nil }
            return "\(line.time - time) \(session.state) \(session.path ?? "") \(session.reason ?? "")"
        }.joined(separator: "\n")
    }

    private static func session(_ line: String) -> Session? {
        let line = try? JSONDecoder().decode(Session.self, from: Data(line.utf8))
        return line?.event == "session" ? line : nil
    }

    /// Stops it.
    @discardableResult
    func stop() async throws -> LabProcess.Result {
        try await process.stop()
    }
}
