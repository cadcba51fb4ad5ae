internal import GatewayProtocol

/// The devices that an OpenClaw gateway knows at one moment: those that are paired, and those that wait. A value, for the
/// comparison with a later one.
struct KnownDevices: Hashable, Sendable {
    /// The maximum number of devices of either kind that are read.
    private static let most = 4_096

    /// A device.
    struct Device: Hashable, Sendable {
        let id: String

        /// The name that it gives itself; `nil` if it has none. Untrusted.
        let name: String?

        /// The request by which it waits for an approval; `nil` if it is paired.
        let requestID: String?
    }

    private let paired: [Device]
    private let waiting: [Device]

    /// Reads the payload of the answer to `device.pair.list`; `nil` if it is none.
    init?(_ payload: JSONValue?) {
        guard let paired = payload?["paired"]?.array, let pending = payload?["pending"]?.array else { return nil }
        self.paired = paired.prefix(Self.most).compactMap { entry in
            guard let id = entry["deviceId"]?.string, !id.isEmpty else { return nil }
            let name = entry["displayName"]?.string.map { $0.cut(toBytes: 256) }
            return Device(id: id.cut(toBytes: 128), name: name, requestID: nil)
        }
        waiting = pending.prefix(Self.most).compactMap { entry in
            guard let request = DeviceRequest(json: entry), let id = request.deviceID else { return nil }
            return Device(id: id, name: request.name, requestID: request.id)
        }
    }

    /// Returns the first device that is paired or waits, and was not and did not before; `nil` if there is none. A device
    /// that was paired before and asks for more is none.
    func newcomer(since before: KnownDevices) -> Device? {
        let old = Set(before.paired.map(\.id))
        let asked = Set(before.waiting.map(\.requestID))
        return paired.first { !old.contains($0.id) }
            ?? waiting.first { !old.contains($0.id) && !asked.contains($0.requestID) }
    }
}
