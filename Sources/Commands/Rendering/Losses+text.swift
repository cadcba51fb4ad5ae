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

extension BackendLosses {
    /// The losses in words, for people; `nil` if nothing was lost.
    ///
    /// The number of entries without room is left out, because one service is counted again each time that it finds no
    /// room.
    var text: String? {
        let packets = packets == 0 ? nil : packets == 1 ? "1 packet was lost" : "\(packets) packets were lost"
        let entries = entries == 0 ? nil : "services or records were left out, since there was no room for them"
        let parts = [packets, entries].compactMap(\.self)
        return parts.isEmpty ? nil : "\(parts.joined(separator: ", and "))."
    }
}
