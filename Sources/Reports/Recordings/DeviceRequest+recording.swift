internal import GatewayProtocol

extension DeviceRequest {
    /// The request in the words of the gateway, which its reader checks as strictly as those of one.
    var recording: JSONValue {
        var fields: [String: JSONValue] = [
            "requestId": .string(id), "roles": JSONValue(roles), "scopes": JSONValue(scopes),
        ]
        fields["displayName"] = name.map(JSONValue.string)
        fields[isNode ? "nodeId" : "deviceId"] = deviceID.map(JSONValue.string)
        fields["version"] = version.map(JSONValue.string)
        if !approvalScopes.isEmpty { fields["requiredApproveScopes"] = JSONValue(approvalScopes) }
        fields["platform"] = platform.map(JSONValue.string)
        fields["remoteIp"] = address.map(JSONValue.string)
        fields["ts"] = time.map { .number(JSONNumber($0)) }
        return .object(fields)
    }
}
