internal import DNSSD

extension BackendLosses {
    /// How much was lost, for people; `nil` when nothing was.
    ///
    /// How often, and not of how many: one service that finds no room is counted each time that it comes.
    var text: String? {
        let packets = packets == 0 ? nil : packets == 1 ? "1 packet was lost" : "\(packets) packets were lost"
        let entries =
            entries == 0 ? nil : "services or records were left out \(entries == 1 ? "once" : "\(entries) times")"
        let parts = [packets, entries].compactMap(\.self)
        return parts.isEmpty ? nil : "in all \(parts.joined(separator: ", and "))."
    }
}
