internal import Synchronization

/// The events of an agent, read one by one as they come: first a snapshot, then changes. The thread that reads is blocked
/// meanwhile.
package final class AgentEvents: Sendable {
    /// The time within which an agent has to send something, if only a comment, which it does every 15 seconds.
    package static let longestSilence = Duration.seconds(40)

    /// The name of the event by which a view of this program learns that the first look of the agent is over.
    package static let looked = "looked"

    /// One event.
    package struct Event: Hashable, Sendable {
        /// The subject: `snapshot`, `gateway`, `service`, `session`, `pairing` or `backend`; or `update`, and once
        /// ``looked``, if they are asked for in the form for the views of this program.
        package let name: String

        /// The position from which on a reader can resume; `nil` if others changed together with it.
        package let identifier: String?

        /// The JSON of the event.
        package let data: String
    }

    /// The state of the reading: the response, and the events that were read and not yet returned.
    fileprivate struct Reading {
        var response = HTTPResponseReader()
        var waiting: ArraySlice<Event> = []

        /// The bytes of the event that has not come in full.
        var pending: ArraySlice<UInt8> = []
    }

    /// The version of the agent.
    package let version: String?

    private let connection: AgentConnection
    private let reading: Mutex<Reading>

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - client: The agent that is asked.
    ///   - query: The query: a question mark and parameters.
    ///   - identifier: The position from which on to resume; `nil` to begin with a snapshot.
    ///   - timeout: The time within which the agent has to begin to answer.
    package init(
        _ client: AgentClient,
        _ query: String = "",
        after identifier: String? = nil,
        within timeout: Duration = .seconds(3)
    ) throws(AgentClientError) {
        let deadline = ContinuousClock.now + timeout
        connection = try AgentConnection(client.socket, until: deadline)
        let fields = identifier.map { ["Last-Event-ID": $0] } ?? [:]
        try connection.write(AgentClient.request("GET", "/api/v1/events\(query)", fields, []), until: deadline)
        var reading = Reading()
        while reading.response.status == nil {
            let bytes = try connection.read(until: deadline)
            guard !bytes.isEmpty else { throw .broken("it was closed before it was answered") }
            try reading.take(bytes)
        }
        version = reading.response.fields["clawradar-version"]
        self.reading = Mutex(reading)
    }

    /// Returns the next event; `nil` when the agent has ended, or reading was ended.
    ///
    /// - Parameters:
    ///   - deadline: The latest time at which to return; `nil` for none.
    ///   - silence: The time after which an agent that has sent nothing hangs.
    /// - Throws: `timedOut` at either of them.
    package func next(
        until deadline: ContinuousClock.Instant? = nil,
        silence: Duration = longestSilence
    ) throws(AgentClientError) -> Event? {
        try reading.withLock { reading throws(AgentClientError) -> Event? in
            while true {
                if let event = reading.waiting.popFirst() { return event }
                guard !reading.response.isComplete else { return nil }
                let latest = ContinuousClock.now + silence
                let bytes = try connection.read(until: deadline.map { min($0, latest) } ?? latest)
                guard !bytes.isEmpty else { return nil }
                try reading.take(bytes)
            }
        }
    }

    /// Ends the reading, also that of a thread that waits for an event.
    package func end() { connection.end() }
}

extension AgentEvents.Reading {
    fileprivate mutating func take(_ bytes: [UInt8]) throws(AgentClientError) {
        let body = try response.take(bytes[...])
        if let status = response.status, status != 200 { throw .garbled("expected events, found status \(status)") }
        // What was searched before is not searched again: a snapshot comes in many pieces.
        var start = max(pending.startIndex, pending.endIndex - 1)
        pending += body
        let end: [UInt8] = [10, 10]
        while let range = pending[start...].firstRange(of: end) {
            let block = String(decoding: pending[..<range.lowerBound], as: UTF8.self)
            pending = pending[range.upperBound...]
            start = pending.startIndex
            if let event = Self.event(block) { waiting.append(event) }
        }
        guard pending.count <= AgentClient.limit else { throw .garbled("an event is too long") }
    }

    /// Reads the lines of one event; `nil` if they are a comment.
    private static func event(_ block: String) -> AgentEvents.Event? {
        var fields: [Substring: Substring] = [:]
        for line in block.split(separator: "\n") where !line.hasPrefix(":") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { fields[parts[0]] = parts[1].drop { $0 == " " } }
        }
        guard let name = fields["event"], let data = fields["data"] else { return nil }
        return AgentEvents.Event(name: String(name), identifier: fields["id"].map(String.init), data: String(data))
    }
}
