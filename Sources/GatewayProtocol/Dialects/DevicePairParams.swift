/// The parameters of `device.pair`: which device wants to talk to which bots.
package struct DevicePairParams: Hashable, Sendable {
    /// The device's identifier, a UUID, at most 128 bytes.
    package let deviceID: String

    /// The device's name for people, at most 256 bytes.
    package let deviceName: String

    /// The platform that the device runs on, such as `linux`; at most 64 bytes.
    package let platform: String?

    /// The bots that the device asks for.
    package let requestedBots: BotSelection

    /// The one-time token of a link or code, at most 1,024 bytes, where one was given. A gateway that demands a token
    /// answers `PAIRING_TOKEN_REQUIRED` where there is none, and `PAIRING_TOKEN_INVALID` where it is wrong, used or
    /// expired.
    package let pairingToken: Secret?

    /// Creates parameters; by default without a one-time token. The lengths of the texts are not checked.
    package init(
        deviceID: String,
        deviceName: String,
        platform: String?,
        requestedBots: BotSelection,
        pairingToken: Secret? = nil
    ) {
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.platform = platform
        self.requestedBots = requestedBots
        self.pairingToken = pairingToken
    }

    /// Reads the parameters of a request.
    ///
    /// - Throws: ``GatewayMessageError``.
    package init(json: JSONValue?) throws(GatewayMessageError) {
        let fields = try JSONFields(json, of: "the parameters")
        self.deviceID = try fields.string("deviceId", limit: 128)
        self.deviceName = try fields.string("deviceName")
        self.platform = try fields.optionalString("platform", limit: 64)
        self.requestedBots = try BotSelection(json: fields["requestedBots"])
        self.pairingToken = try fields.optionalSecret("pairingToken", limit: 1_024)
    }

    /// The parameters as JSON.
    package var json: JSONValue {
        var fields: [String: JSONValue] = [
            "deviceId": .string(deviceID), "deviceName": .string(deviceName), "requestedBots": requestedBots.json,
        ]
        fields["platform"] = platform.map(JSONValue.string)
        fields["pairingToken"] = pairingToken.flatMap { $0.isText ? .secret($0) : nil }
        return .object(fields)
    }
}
