package import GatewayProtocol

/// The permission for one device to talk to one bot. It holds a secret: never log it.
package struct GatewayPairing: Hashable, Sendable {
    /// The device's identifier, at most 128 bytes.
    package let deviceID: String

    /// Its name for people, at most 256 bytes; untrusted.
    package let deviceName: String

    /// The bot; `nil` for the whole gateway, in the dialects without bots.
    package let botID: BotID?

    /// The account of a Clawline provider to which the device belongs; `nil` in other dialects.
    package let userID: String?

    /// The token with which the device proves the pairing.
    package let token: String

    package init(deviceID: String, deviceName: String, botID: BotID?, userID: String? = nil, token: String) {
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.botID = botID
        self.userID = userID
        self.token = token
    }

    init?(json: JSONValue) {
        guard let deviceID = json["deviceId"]?.string, let token = json["token"]?.string, !token.isEmpty else {
            return nil
        }
        self.deviceID = deviceID
        self.deviceName = json["deviceName"]?.string ?? ""
        self.token = token
        userID = json["userId"]?.string
        if let text = json["botId"]?.string {
            guard let botID = BotID(text) else { return nil }
            self.botID = botID
        } else {
            self.botID = nil
        }
    }

    /// The account of the device at a Clawline provider, also where an earlier version has stored none.
    var clawlineAccount: String { userID ?? ClawlineState.accountPrefix + deviceID }

    var json: JSONValue {
        .object([
            "deviceId": .string(deviceID), "deviceName": .string(deviceName), "token": .string(token),
            "botId": botID.map { .string($0.text) } ?? .null, "userId": userID.map(JSONValue.string) ?? .null,
        ])
    }

    /// Returns whether the pairing has this token, in a time that does not depend on where they differ.
    func has(token other: String) -> Bool {
        let (mine, theirs) = (Array(token.utf8), Array(other.utf8))
        guard mine.count == theirs.count else { return false }
        return zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
