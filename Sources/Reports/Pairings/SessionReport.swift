internal import DNSSD
package import GatewayProtocol
package import Scanning

/// A change of a session with a paired gateway, as a line of a stream.
package struct SessionReport: JSONReport {
    private let session: ShownSession
    private let time: Timestamp

    /// Creates the report of a change of a session at a time.
    package init(_ session: ShownSession, at time: Timestamp) {
        self.session = session
        self.time = time
    }

    package var fields: [String: JSONValue] {
        [
            "event": "session",
            "time": .string(time.description),
            "pairing": .string(session.pairing),
            "gatewayName": .string(session.name),
            "gateway": .string(session.gateway),
            "state": .string(session.state.rawValue),
            "reason": JSONValue(session.text.map { DisplayText(sentence: $0).text }),
            "path": JSONValue(session.path),
            "elsewhere": .bool(session.isElsewhere),
            "latencyMs": JSONValue(milliseconds: session.latency),
            "bots": JSONValue(session.bots.map(\.id.text)),
            "requests": session.requests.map { requests in
                .array(requests.map { .object($0.reportFields) })
            } ?? .null,
        ]
        .with(.name).with(.formerState, words: FormerWords.ofSessions)
    }
}
