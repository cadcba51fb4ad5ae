package import GatewayProtocol

/// The JSON representation of the gateways of which nothing is told.
package struct MutesReport: ReadableReport, Hashable {
    /// The times until which that is so, by the keys of the gateways in the history.
    package let mutes: [String: Timestamp]

    package init(_ mutes: [String: Timestamp]) {
        self.mutes = mutes
    }

    /// Reads a report.
    package init(_ document: JSONValue) throws(RecordingProblem) {
        let values: [JSONValue] = try RecordedFields(document, of: "the document").all("mutes")
        var mutes: [String: Timestamp] = [:]
        for value in values {
            let fields = try RecordedFields(value, of: "a mute")
            guard let until = Timestamp(try fields.value("until") as String) else {
                throw fields.problem(at: "until", expected: "a time")
            }
            mutes[try fields.value("gateway")] = until
        }
        self.mutes = mutes
    }

    package var fields: [String: JSONValue] {
        let sorted = mutes.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        return [
            "mutes": .array(
                sorted.map { gateway, until in
                    .object(["gateway": .string(gateway), "until": .string(until.description)])
                }
            )
        ]
    }
}
