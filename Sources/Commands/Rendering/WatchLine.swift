internal import DNSSD

/// One change as one line for people; every text in it is cleaned.
enum WatchLine {
    /// Returns a line such as `14:03:09 + Home  10.0.0.1:3000  _openclaw._tcp`.
    ///
    /// - Parameters:
    ///   - before: The service as it was before the change, if known.
    ///   - time: The time of day.
    static func text(_ change: ServiceChange, before: DiscoveredService?, time: String) -> String {
        let row = ServiceRow(change.service)
        switch change {
        case .found:
            let remarks = row.remarks.isEmpty ? "" : "  (\(row.remarks.joined(separator: "; ")))"
            return "\(time) + \(row.name)  \(row.address)  \(row.type)\(remarks)"
        case .changed(let service, let aspects):
            return "\(time) ~ \(row.name)  \(row.address)  \(ChangeText.text(service, since: before, aspects: aspects))"
        case .lost(_, let reason):
            return "\(time) - \(row.name)  \(row.address)  \(reason.text)"
        }
    }
}
