internal import GatewayProtocol

/// The devices that wait for the decision of a gateway's operator. A value; not stored.
package struct DeviceQueue: Hashable, Sendable {
    /// A device that waits, on one connection.
    struct Request: Hashable {
        let deviceID: String
        let name: String
        let connection: Int
        let since: Int

        /// The words of the device about itself besides its name.
        var info: JSONValue?
    }

    /// The most devices that wait.
    private static let most = 64

    /// The devices that wait, those that have waited longest first.
    private(set) var requests: [Request] = []

    /// Lets a device wait; returns `false` if too many do.
    mutating func wait(
        _ deviceID: String,
        _ name: String,
        _ info: JSONValue? = nil,
        on connection: Int,
        at time: GatewayTime
    ) -> Bool {
        forget(connection: connection)
        guard requests.count < Self.most else { return false }
        requests.append(
            Request(deviceID: deviceID, name: name, connection: connection, since: time.uptime, info: info)
        )
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

    /// Returns the devices as the operator sees them.
    func json(at time: GatewayTime) -> JSONValue {
        .array(
            requests.map { request in
                .object([
                    "requestId": .string(request.deviceID), "deviceId": .string(request.deviceID),
                    "displayName": .string(request.name), "ageMs": .number(JSONNumber(time.uptime - request.since)),
                ])
            }
        )
    }
}
