internal import GatewayProtocol

/// The devices that wait at a Clawdbot bridge. A value; not stored.
package struct BridgeState: Hashable, Sendable {
    /// A device that waits for the operator's decision, on one connection.
    struct Request: Hashable {
        let deviceID: String
        let name: String
        let connection: Int
        let since: Int
    }

    /// The most devices that wait.
    private static let mostWaiting = 64

    /// Indicates whether devices are approved at once.
    package var approvesAll = true

    /// The devices that wait, those that have waited longest first.
    private(set) var requests: [Request] = []

    package init() {}

    /// Lets a device wait; returns `false` if too many do.
    mutating func wait(_ deviceID: String, _ name: String, on connection: Int, at time: GatewayTime) -> Bool {
        forget(connection: connection)
        guard requests.count < Self.mostWaiting else { return false }
        requests.append(Request(deviceID: deviceID, name: name, connection: connection, since: time.uptime))
        return true
    }

    /// Forgets the request of a connection that has ended, or been told that its time is over.
    mutating func forget(connection: Int) {
        requests.removeAll { $0.connection == connection }
    }

    /// Forgets the requests of a device, since they were decided.
    mutating func settle(_ deviceID: String) {
        requests.removeAll { $0.deviceID == deviceID }
    }
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
        bridge.settle(deviceID)
        let messages: [BridgeMessage] = [.pairOK(token: Secret(pairing.token)), .helloOK(serverName: name)]
        return BridgeGrant(token: pairing.token, messages: messages.map(\.encoded), ended: result.ended)
    }
}
