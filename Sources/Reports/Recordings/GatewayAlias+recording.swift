internal import GatewayProtocol

extension GatewayAlias {
    var recording: JSONValue {
        var fields: [String: JSONValue] = [
            "gatewayID": JSONValue(recording: gatewayID), "name": JSONValue(recording: name),
        ]
        fields["fingerprint"] = fingerprint.map { JSONValue(bytes: $0.bytes) }
        fields["leaf"] = leaf.map { .string($0.description) }
        return .object(fields)
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        self.init(
            gatewayID: try fields.text("gatewayID"),
            fingerprint: fields["fingerprint"] == nil ? nil : try fields.fingerprint("fingerprint"),
            leaf: try fields.optionalLeaf("leaf"),
            name: try fields.text("name")
        )
    }
}
