internal import GatewayProtocol

/// The holder's note about a session, for other processes of this user.
package struct SessionNote: Hashable, Sendable {
    /// The maximum number of bytes of each text.
    private static let textLimit = 120

    /// The state in one word.
    package let state: String

    /// The time since which it is so, in milliseconds since 1970.
    package let since: Int

    /// The address and port of the session; `nil` while there is none.
    package let path: String?

    /// The reason for the state, for people; `nil` if there is nothing to explain. It quotes no secret.
    package let reason: String?

    /// The refusal by the gateway, if that is the reason.
    package let refusal: NotedRefusal?

    /// Creates a note; by default without a path, and with nothing to explain.
    package init(
        state: String,
        since: Int,
        path: String? = nil,
        reason: String? = nil,
        refusal: NotedRefusal? = nil
    ) {
        self.state = state
        self.since = since
        self.path = path
        self.reason = reason
        self.refusal = refusal
    }

    /// The note as it stands in the lock's file, after the line that says who holds it.
    var lines: String {
        // A reason may be anything: the refusal is the line after it.
        let explanation = refusal.map { "\(Self.line(reason) ?? "-")\n\($0.line)" } ?? Self.line(reason)
        return "\(state) \(since) \(Self.line(path) ?? "-")\n" + (explanation.map { "\($0)\n" } ?? "")
    }

    /// Reads a note; `nil` if it is of another form, or there is none yet.
    init?(lines: some Sequence<Substring>) {
        var lines = lines.makeIterator()
        let parts = lines.next()?.split(separator: " ", maxSplits: 2) ?? []
        guard parts.count == 3, let since = Int(parts[1]) else { return nil }
        self.init(
            state: String(parts[0]),
            since: since,
            path: parts[2] == "-" ? nil : String(parts[2]),
            reason: lines.next().flatMap { $0 == "-" ? nil : String($0) },
            refusal: lines.next().flatMap { NotedRefusal(line: $0) }
        )
    }

    private static func line(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        // Line feed and carriage return are one character.
        let scalars = text.unicodeScalars.map { $0 == "\n" || $0 == "\r" ? " " : $0 }
        return String(String.UnicodeScalarView(scalars)).cut(toBytes: textLimit)
    }
}

/// The session of a credential that some process of this user has.
package struct HeldSession: Hashable, Sendable {
    /// The process.
    package let holder: LockHolder

    /// Its note about the session; `nil` if it has not said anything yet.
    package let note: SessionNote?

    /// Reads what stands in a lock's file; `nil` if it is of another form.
    init?(_ text: String) {
        guard let holder = LockHolder(note: text) else { return nil }
        self.holder = holder
        self.note = SessionNote(lines: text.split(separator: "\n").dropFirst())
    }

    /// Creates a session of a process.
    package init(holder: LockHolder, note: SessionNote?) {
        self.holder = holder
        self.note = note
    }
}
