internal import DNSSD
package import GatewayProtocol

/// The part of a document that says whether the gateway knows that a pairing has ended.
package enum WithdrawalReport: JSONReport, Hashable {
    /// The gateway knows that the pairing has ended.
    case withdrawn

    /// The gateway does not know, and will not be informed.
    case notInformed

    /// The gateway will be informed when it can be reached; with the reason why it was not reached yet, for people.
    case pending(reason: String)

    /// The gateway does not let devices remove themselves: its operator has to run this command.
    case byOperator(command: String)

    /// Reads it from the fields of a document.
    init(_ fields: RecordedFields) throws(RecordingProblem) {
        let isWithdrawn: Bool = try fields.value("withdrawn")
        let reason: String? = try fields.optional("reason")
        let command: String? = try fields.optional("command")
        switch (isWithdrawn, reason, command) {
        case (true, nil, nil): self = .withdrawn
        case (false, nil, nil): self = .notInformed
        case (false, let reason?, nil): self = .pending(reason: reason)
        case (false, nil, let command?): self = .byOperator(command: command)
        default: throw fields.problem(at: "withdrawn", expected: "that of one end of a pairing")
        }
    }

    package var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = ["withdrawn": .bool(self == .withdrawn), "reason": .null, "command": .null]
        switch self {
        case .withdrawn, .notInformed: break
        case .pending(let reason): fields["reason"] = .string(DisplayText(sentence: reason).text)
        case .byOperator(let command): fields["command"] = .string(command)
        }
        return fields
    }
}
