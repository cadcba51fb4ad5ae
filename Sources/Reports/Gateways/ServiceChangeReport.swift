package import DNSSD
package import GatewayProtocol

/// A change of one service.
package struct ServiceChangeReport: JSONReport {
    private let change: ServiceChange
    private let time: Timestamp

    /// Creates the report of a change of a service.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - time: The time at which the change was noticed.
    package init(_ change: ServiceChange, at time: Timestamp) {
        self.change = change
        self.time = time
    }

    package var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "time": .string(time.description), "kind": "service", "service": ServiceReport(change.service).json,
        ]
        switch change {
        case .found:
            fields["event"] = "found"
        case .changed(_, let aspects):
            fields["event"] = "changed"
            fields["changed"] = JSONValue(aspects.sorted().map(\.rawValue))
        case .lost(_, let reason):
            fields["event"] = "lost"
            fields["reason"] = .string(reason.rawValue)
        }
        return fields.with(.at)
    }
}
