internal import DNSSD
public import GatewayProtocol

/// The part of a document that says what a gateway knows of the end of a pairing.
public enum WithdrawalReport: JSONReport, Hashable {
    /// The gateway knows it.
    case withdrawn

    /// The gateway was not told, and shall not be.
    case untold

    /// The gateway is told when it is reached; with the reason why it was not, for people.
    case pending(reason: String)

    /// The gateway lets no device remove itself: its operator does, with this command.
    case byOperator(command: String)

    public var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = ["withdrawn": .bool(self == .withdrawn), "reason": .null, "command": .null]
        switch self {
        case .withdrawn, .untold: break
        case .pending(let reason): fields["reason"] = .string(DisplayText(reason).text)
        case .byOperator(let command): fields["command"] = .string(command)
        }
        return fields
    }
}
