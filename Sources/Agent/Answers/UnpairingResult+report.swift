package import Pairing
package import Reports

extension UnpairingResult {
    /// The result as a part of a JSON document.
    package var report: WithdrawalReport {
        switch self {
        case .withdrawn: .withdrawn
        case .onlyHere(let reason): .pending(reason: reason)
        case .removedByOperator(let command): .byOperator(command: command)
        }
    }
}
