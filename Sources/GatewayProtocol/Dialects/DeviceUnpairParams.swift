/// The parameters of `device.unpair`.
package struct DeviceUnpairParams: Hashable, Sendable {
    /// The device's identifier, at most 128 bytes.
    package let deviceID: String

    /// The bots that the device gives up.
    package let bots: BotSelection

    /// Creates parameters. The length of the identifier is not checked.
    package init(deviceID: String, bots: BotSelection) {
        self.deviceID = deviceID
        self.bots = bots
    }

    /// Reads the parameters of a request.
    ///
    /// - Throws: ``GatewayMessageError``.
    package init(json: JSONValue?) throws(GatewayMessageError) {
        let fields = try JSONFields(json, of: "the parameters")
        self.deviceID = try fields.string("deviceId", limit: 128)
        self.bots = try BotSelection(json: fields["botIds"])
    }

    /// The parameters as JSON.
    package var json: JSONValue {
        .object(["deviceId": .string(deviceID), "botIds": bots.json])
    }
}
