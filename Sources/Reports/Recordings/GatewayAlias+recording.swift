internal import GatewayProtocol

extension GatewayAlias: RecordedObject {
    var recording: JSONValue {
        JSONValue(recording: ["gatewayID": gatewayID, "name": name, "fingerprint": fingerprint, "leaf": leaf])
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        try self.init(
            gatewayID: fields.value("gatewayID"),
            fingerprint: fields.optional("fingerprint"),
            leaf: fields.optional("leaf"),
            name: fields.value("name")
        )
    }
}
