import Foundation

/// A running `clawradar connect`, and what it prints.
final class SessionWatch: Sendable {
    /// A line of it.
    struct Session: Decodable {
        let name: String
        let state: String
        let path: String?
        let reason: String?
    }

    /// The time between two looks at what it has printed.
    private static let interval = Duration.milliseconds(25)

    let process: LabProcess

    /// - Parameters:
    ///   - options: More options of it.
    ///   - scene: Where it is run; it is not to crash if not given.
    init(of device: LabDevice, scene: CrashScene? = nil, _ options: [String] = []) throws {
        let command = device.command(["connect", "--format", "ndjson"] + options)
        process = try Lab.start(on: device.host.name, scene?.command(command) ?? command)
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

    /// Waits until a session has come to a state after a time, at a path if one is given.
    ///
    /// - Returns: When it first did; `nil` if it has not within the limit.
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
    /// - Returns: Whether that has come.
    func settles(_ name: String, _ state: String, within limit: Duration = .seconds(10)) async throws -> Bool {
        var patience = Patience(limit)
        while last(name)?.state != state {
            guard patience.isLeft() else { return false }
            try await Task.sleep(for: Self.interval)
        }
        return true
    }

    /// The last line about the session with a gateway.
    func last(_ name: String) -> Session? {
        process.lines.reversed().lazy.compactMap { Self.session($0.text) }.first { $0.name == name }
    }

    /// The time at which the session with a gateway first came to a state after another time, at a path if one is given.
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

    /// The end of its log.
    var lastLog: String { process.errorText.split(separator: "\n").suffix(100).joined(separator: "\n") }

    /// Everything that it has said of a gateway since a time, one line each.
    func story(of name: String, since time: ContinuousClock.Instant) -> String {
        process.lines.filter { $0.time > time }.compactMap { line in
            guard let session = Self.session(line.text), session.name == name else { return nil }
            return "\(line.time - time) \(session.state) \(session.path ?? "") \(session.reason ?? "")"
        }.joined(separator: "\n")
    }

    private static func session(_ line: String) -> Session? {
        try? JSONDecoder().decode(Session.self, from: Data(line.utf8))
    }

    /// Ends it.
    @discardableResult
    func stop() async throws -> LabProcess.Result {
        try await process.stop()
    }
}
