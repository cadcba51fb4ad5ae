internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import PairingStore
internal import Reports

/// The result of unpairing in words; every text in it is cleaned.
enum UnpairingText {
    /// Returns the text for a result.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - what: A description of the pairing or bots that were unpaired, for people.
    ///   - pairing: The pairing that they belonged to.
    static func text(_ result: UnpairingResult, _ what: String, _ pairing: StoredPairing) -> String {
        let advice = BinText.advice(pairing)
        return switch result {
        // What is in the bin opens nothing any more.
        case .withdrawn:
            "unpaired here and at the gateway: \(what). Its tokens are void. To use it again: clawradar pair \(pairing.word)\n"
        case .onlyHere(let reason) where !pairing.dialect.letsDevicesLeave:
            "unpaired here (\(DisplayText(reason, limit: 160))): \(what). \(advice)\n"
        case .onlyHere(let reason):
            "unpaired here; at the gateway when it is seen again (\(DisplayText(reason, limit: 160))): \(what). \(advice)\n"
        case .removedByOperator(let command):
            "unpaired here: \(what). \(advice)\n\(removal(command))\n"
        }
    }

    /// Returns the line with the command that removes this device at a gateway.
    static func removal(_ command: String) -> String {
        "This device stays approved there until it is removed on the gateway's host: \(DisplayText(command, limit: 400))"
    }
}
