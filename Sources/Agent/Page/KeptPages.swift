internal import HostSystem
internal import Reports

/// The sessions of pages as they outlive an agent, in a file of its user alone: the port, and for each session its key and the
/// time of its end. A value.
struct KeptPages: Hashable, Sendable {
    /// The maximum number of bytes of the file.
    static let limit = 4_096

    /// A session.
    struct Session: Hashable, Sendable {
        let secret: [UInt8]
        let end: Timestamp
    }

    let port: UInt16
    let sessions: [Session]

    /// The text of the file.
    var text: String {
        ([String(port)] + sessions.map { "\(String(decoding: $0.secret, as: UTF8.self)) \($0.end)" })
            .map { "\($0)\n" }
            .joined()
    }

    /// Makes them of the keys that an agent has.
    ///
    /// - Parameters:
    ///   - now: The present moment.
    ///   - time: The same by the clock of the host, since the file may outlive the other one.
    init(port: UInt16, _ keys: [PageKeys.Key], at now: ContinuousClock.Instant, _ time: Timestamp) {
        self.port = port
        sessions = keys.map { Session(secret: $0.secret, end: time.advanced(by: $0.end - now)) }
    }

    /// Reads a file; `nil` for anything that was not written by an agent.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard let port = lines.first.flatMap({ UInt16($0) }), port > 0 else { return nil }
        var sessions: [Session] = []
        for line in lines.dropFirst() {
            let parts = line.split(separator: " ")
            guard parts.count == 2, PageKeys.isSecret(parts[0]), let end = Timestamp(String(parts[1])) else {
                return nil
            }
            sessions.append(Session(secret: Array(parts[0].utf8), end: end))
        }
        self.port = port
        self.sessions = sessions
    }

    /// Returns the keys that still last, none for longer than a new one: the clock of the host may have been set back.
    func keys(at now: ContinuousClock.Instant, _ time: Timestamp) -> [PageKeys.Key] {
        sessions.compactMap { session in
            let rest = Duration.milliseconds(session.end.milliseconds - time.milliseconds)
            guard rest > .zero else { return nil }
            return PageKeys.Key(secret: session.secret, end: now + min(rest, PageKeys.sessionLifetime))
        }
    }
}
