internal import GatewayProtocol

/// The devices that wait at a Clawdbot bridge. A value; not stored.
package struct BridgeState: Hashable, Sendable {
    /// Indicates whether devices are approved at once.
    package var approvesAll = true

    /// Indicates whether each device that connects is given a command, to see whether it answers.
    package var invokesAtHello = false

    /// The answers to these commands, as the code of each.
    package var answers: [String] = []

    /// The devices that wait.
    var queue = DeviceQueue()

    package init() {}
}

/// The token that a device was granted, and what it is told.
struct BridgeGrant {
    let token: String
    let messages: [[UInt8]]

    /// The tokens of the device that have ended.
    let ended: Set<String>
}

extension GatewayState {
    /// Pairs a device; `nil` if there are too many pairings.
    mutating func grantBridge(
        _ deviceID: String,
        _ deviceName: String,
        using generator: inout some RandomNumberGenerator
    ) -> BridgeGrant? {
        let result = pair(deviceID: deviceID, deviceName: deviceName, bots: [nil], using: &generator)
        guard let result, let pairing = result.added.first else { return nil }
        bridge.queue.settle(deviceID)
        let messages: [BridgeMessage] = [.pairOK(token: Secret(pairing.token)), .helloOK(serverName: name)]
        return BridgeGrant(token: pairing.token, messages: messages.map(\.encoded), ended: result.ended)
    }
}
