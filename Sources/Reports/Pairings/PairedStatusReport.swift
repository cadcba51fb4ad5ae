internal import DNSSD
package import GatewayProtocol
package import Pairing

/// The state of one paired gateway at a glance.
package struct PairedStatusReport: JSONReport {
    private let pairing: StoredPairing
    private let state: String
    private let since: Timestamp?
    private let path: String?
    private let reason: String?
    private let command: String?
    private let holder: LockHolder?
    private let readiness: Readiness?

    /// Creates the report of a state.
    ///
    /// - Parameters:
    ///   - pairing: The pairing.
    ///   - state: The state in one word.
    ///   - since: The time since which it is so; of one that is away, the time at which it was connected last.
    ///   - path: The address and port of its session, else those at which it answers.
    ///   - reason: The reason for the state, for people.
    ///   - command: The command that helps against the state, or says more of it.
    ///   - holder: The process that has the session.
    ///   - readiness: The readiness that the gateway reports; `nil` while it is not known.
    package init(
        _ pairing: StoredPairing,
        state: String,
        since: Timestamp?,
        path: String?,
        reason: String?,
        command: String? = nil,
        holder: LockHolder?,
        readiness: Readiness? = nil
    ) {
        self.pairing = pairing
        self.state = state
        self.since = since
        self.path = path
        self.reason = reason
        self.command = command
        self.holder = holder
        self.readiness = readiness
    }

    package var fields: [String: JSONValue] {
        [
            "pairing": .string(pairing.id.description),
            "name": .string(pairing.name),
            "gateway": .string(pairing.gatewayID),
            "state": .string(state),
            "since": JSONValue(since?.description),
            "path": JSONValue(path),
            "reason": JSONValue(reason.map { DisplayText(sentence: $0).text }),
            "command": JSONValue(command),
            "readiness": JSONValue(readiness?.word),
            "readinessReason": JSONValue(readiness?.reason),
            "heldBy": holder.map { holder in
                .object([
                    "process": JSONValue(holder.process), "program": .string(DisplayText(holder.program).text),
                ])
            } ?? .null,
            "bots": JSONValue(pairing.bots.map(\.id.text)),
        ]
        .with(.formerState, words: FormerWords.ofGateways)
    }
}
