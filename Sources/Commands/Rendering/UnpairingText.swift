internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// The end of a pairing in words; every text in it is cleaned.
enum UnpairingText {
    /// Returns the text for a result.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - what: A description of the pairing or bots that were unpaired, for people.
    ///   - pairing: The pairing that they belonged to.
    static func text(_ result: WithdrawalReport, _ what: String, _ pairing: StoredPairing) -> String {
        let advice = "It is in the bin for 30 days: clawradar restore \(pairing.shortID)"
        return switch result {
        // What is in the bin opens nothing any more.
        case .withdrawn:
            "unpaired here and at the gateway: \(what). Its tokens are void. To use it again: clawradar pair \(pairing.word)"
        case .notInformed: "forgotten: \(what). \(advice)"
        case .pending(let reason) where !pairing.dialect.letsDevicesLeave:
            "unpaired here (\(DisplayText(reason, limit: 160))): \(what). \(advice)"
        case .pending(let reason):
            "unpaired here; at the gateway when it is seen again (\(DisplayText(reason, limit: 160))): \(what). \(advice)"
        case .byOperator(let command):
            "unpaired here: \(what). \(advice)\n\(removal(command))"
        }
    }

    /// Returns the line with the command that removes this device at a gateway.
    static func removal(_ command: String) -> String {
        "This device stays approved there until it is removed on the gateway's host: \(DisplayText(command, limit: 400))"
    }
}
