/// The parameters of `connect` in the OptaPlus dialect: the token of one pairing opens a session.
package struct OptaplusConnect: Hashable, Sendable {
    /// The protocol version that this module speaks.
    package static let protocolVersion = 3

    /// The device's identifier, a UUID.
    package var deviceID: String

    /// The version of this program.
    package var clientVersion: String

    /// The platform, such as `linux`.
    package var platform: String

    /// The token from `device.pair`.
    package var token: Secret

    /// Creates parameters. A token that is not UTF-8 is sent as an empty text.
    package init(deviceID: String, clientVersion: String, platform: String, token: Secret) {
        self.deviceID = deviceID
        self.clientVersion = clientVersion
        self.platform = platform
        self.token = token
    }

    /// The parameters as JSON. They hold the secret.
    package var json: JSONValue {
        let version = JSONValue.number(JSONNumber(Self.protocolVersion))
        return .object([
            "minProtocol": version, "maxProtocol": version,
            "client": .object([
                "id": .string(OpenClawConnect.client.id), "mode": .string(OpenClawConnect.client.mode),
                "version": .string(clientVersion), "platform": .string(platform), "instanceId": .string(deviceID),
            ]),
            "auth": .object(["token": .secret(token)]),
        ])
    }
}
