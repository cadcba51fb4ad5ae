/// The events of an agent, read one by one as they come: first a snapshot, then changes. The thread that reads is blocked
/// meanwhile.
package final class AgentEvents {
    /// One event.
    package struct Event: Hashable, Sendable {
        /// What it is about: `snapshot`, `gateway`, `service`, `session` or `backend`.
        package let name: String

        /// The position from which on a reader can resume; `nil` if others changed together with it.
        package let identifier: String?

        /// The JSON of the event.
        package let data: String
    }

    private let connection: AgentConnection
    private var response = HTTPResponseReader()
    private var waiting: ArraySlice<Event> = []

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - client: The agent that is asked.
    ///   - identifier: The position from which on to resume; `nil` to begin with a snapshot.
    package init(_ client: AgentClient, after identifier: String? = nil) throws(AgentClientError) {
        connection = try AgentConnection(client.socket)
        let fields = identifier.map { ["Last-Event-ID": $0] } ?? [:]
        try connection.write(AgentClient.request("GET", "/api/v1/events", fields, []))
    }

    /// Returns the next event; `nil` when the agent has ended.
    ///
    /// - Parameter deadline: The latest time at which to return; `nil` for none.
    package func next(until deadline: ContinuousClock.Instant? = nil) throws(AgentClientError) -> Event? {
        while true {
            if let event = waiting.popFirst() { return event }
            guard !response.isComplete else { return nil }
            let bytes = try connection.read(until: deadline)
            guard !bytes.isEmpty else { return nil }
            let body = try response.take(bytes[...])
            if let status = response.status, status != 200 { throw .garbled("expected events, found status \(status)") }
            try take(body)
        }
    }

    private func take(_ body: [UInt8]) throws(AgentClientError) {
        pending += body
        let end: [UInt8] = [10, 10]
        while let range = pending.firstRange(of: end) {
            let block = String(decoding: pending[..<range.lowerBound], as: UTF8.self)
            pending = pending[range.upperBound...]
            if let event = Self.event(block) { waiting.append(event) }
        }
        guard pending.count <= AgentClient.limit else { throw .garbled("an event is too long") }
    }

    /// The bytes of the event that has not come in full.
    private var pending: ArraySlice<UInt8> = []

    /// Reads the lines of one event; `nil` if they are a comment.
    private static func event(_ block: String) -> Event? {
        var fields: [Substring: Substring] = [:]
        for line in block.split(separator: "\n") where !line.hasPrefix(":") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { fields[parts[0]] = parts[1].drop { $0 == " " } }
        }
        guard let name = fields["event"], let data = fields["data"] else { return nil }
        return Event(name: String(name), identifier: fields["id"].map(String.init), data: String(data))
    }
}
