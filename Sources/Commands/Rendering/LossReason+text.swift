internal import DNSSD

extension LossReason {
    /// The reason in words.
    var text: String {
        switch self {
        case .withdrawn: "withdrawn or expired"
        case .interfaceDown: "its interface went down"
        case .missingAfterRestart: "missing after a restart of the daemon"
        case .unanswered: "no longer answers"
        }
    }
}
