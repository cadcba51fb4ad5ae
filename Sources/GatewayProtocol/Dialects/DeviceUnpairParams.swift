/// The parameters of `device.unpair`.
public struct DeviceUnpairParams: Hashable, Sendable {
    /// The device's identifier, at most 128 bytes.
    public let deviceID: String

    /// The bots that the device gives up.
    public let bots: BotSelection

    /// Creates parameters. The length of the identifier is not checked.
    public init(deviceID: String, bots: BotSelection) {
        self.deviceID = deviceID
        self.bots = bots
    }

    /// Reads the parameters of a request.
    ///
    /// - Throws: ``GatewayMessageError``.
    public init(json: JSONValue?) throws(GatewayMessageError) {
        let fields = try JSONFields(json, of: "the parameters")
        self.deviceID = try fields.string("deviceId", limit: 128)
        self.bots = try BotSelection(json: fields["botIds"])
    }

    /// The parameters as JSON.
    public var json: JSONValue {
        .object(["deviceId": .string(deviceID), "botIds": bots.json])
    }
}
