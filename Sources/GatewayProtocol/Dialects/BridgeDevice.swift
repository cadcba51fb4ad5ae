/// The details that a device sends to introduce itself to a Clawdbot bridge.
package struct BridgeDevice: Hashable, Sendable {
    /// The name by which the bridge knows the device. A second connection with the same name displaces the first: never
    /// use a name that is not ours.
    package let nodeID: String

    /// The name of the device for people.
    package let displayName: String?

    /// The platform that the device runs on.
    package let platform: String?

    /// The version of the device's program.
    package let version: String?

    /// The secret of a paired device.
    package let token: Secret?

    /// Creates the details of a device. Details that are `nil` are left out of the message.
    package init(nodeID: String, displayName: String?, platform: String?, version: String?, token: Secret? = nil) {
        self.nodeID = nodeID
        self.displayName = displayName
        self.platform = platform
        self.version = version
        self.token = token
    }

    init(_ fields: JSONFields) throws(GatewayMessageError) {
        self.nodeID = try fields.string("nodeId")
        self.displayName = try fields.optionalString("displayName")
        self.platform = try fields.optionalString("platform")
        self.version = try fields.optionalString("version")
        self.token = try fields.optionalSecret("token", limit: 4_096)
    }

    func json(type: String) -> JSONValue {
        var fields: [String: JSONValue] = ["type": .string(type), "nodeId": .string(nodeID)]
        fields["displayName"] = displayName.map(JSONValue.string)
        fields["platform"] = platform.map(JSONValue.string)
        fields["version"] = version.map(JSONValue.string)
        fields["token"] = token.map(JSONValue.secret)
        return .object(fields)
    }
}
