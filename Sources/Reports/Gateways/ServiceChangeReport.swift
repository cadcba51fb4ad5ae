public import DNSSD
public import GatewayProtocol

/// A change of one service.
public struct ServiceChangeReport: JSONReport {
    private let change: ServiceChange
    private let time: Timestamp

    /// Creates the report of a change of a service.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - time: The time at which the change was noticed.
    public init(_ change: ServiceChange, at time: Timestamp) {
        self.change = change
        self.time = time
    }

    public var fields: [String: JSONValue] {
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
