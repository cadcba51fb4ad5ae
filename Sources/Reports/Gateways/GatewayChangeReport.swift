internal import DNSSD
package import GatewayProtocol
internal import Scanning

/// A change of a gateway, or of something that is no gateway.
package struct GatewayChangeReport: JSONReport {
    private let change: GatewayFeed.Change
    private let time: Timestamp

    /// Creates the report of a change in the map.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - time: The time at which the change was noticed.
    package init(_ change: GatewayFeed.Change, at time: Timestamp) {
        self.change = change
        self.time = time
    }

    package var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = ["time": .string(time.description), "kind": "problem"]
        if let row = change.row {
            fields["kind"] = row.isGateway ? "gateway" : "other"
            if row.isGateway {
                fields["gateway"] = GatewayReport(row).json
            } else {
                fields["other"] = OtherReport(row).json
            }
        }
        switch change {
        case .found:
            fields["event"] = "found"
        case .changed(_, _, let aspects):
            fields["event"] = "changed"
            fields["changed"] = JSONValue(aspects.sorted().map(\.rawValue))
        case .lost:
            fields["event"] = "lost"
        case .joined(_, let other):
            fields["event"] = "joined"
            fields["into"] = .string(other.id.description)
            fields = fields.with(.formerEvent, words: FormerWords.ofEvents)
        case .problem(let problem):
            fields["event"] = "problem"
            fields["problem"] = .string(DisplayText("\(problem)").text)
        }
        return fields.with(.at)
    }
}
