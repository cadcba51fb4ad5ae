internal import GatewayProtocol

/// The devices of a Clawline provider that wait, were suspended or revoked, and how often each has asked. A value; not
/// stored.
package struct ClawlineState: Hashable, Sendable {
    /// A kind of request that is limited.
    enum Kind: Hashable {
        case pair
        case auth
    }

    /// A device that waits for an admin's decision, on one connection.
    struct Request: Hashable {
        let deviceID: String
        let name: String
        let connection: Int
        let since: Int
    }

    /// The most requests of one kind in a minute from one device.
    package static let most = 5

    /// The time within which they are counted, in milliseconds.
    package static let window = 60_000

    /// The time in milliseconds for which a device waits.
    package static let requestLife = 300_000

    /// The most devices that wait, and the most that are remembered for any other reason.
    private static let (mostWaiting, mostRemembered) = (64, 1_024)

    private struct Key: Hashable {
        let deviceID: String
        let kind: Kind
    }

    /// Indicates whether devices are approved at once.
    package var approvesAll = true

    /// The devices that wait, those that have waited longest first.
    private(set) var requests: [Request] = []

    /// The devices that have a token, and may not use it at present.
    private(set) var suspended: Set<String> = []

    private var revoked: [String] = []
    private var times: [Key: [Int]] = [:]

    package init() {}

    /// Counts a request; returns `false` if it is one too many, which counts as well.
    mutating func count(_ kind: Kind, of deviceID: String, at time: GatewayTime) -> Bool {
        let key = Key(deviceID: deviceID, kind: kind)
        if times[key] == nil, times.count >= Self.mostRemembered {
            times = times.filter { time.uptime - ($0.value.last ?? .min) < Self.window }
            if times.count >= Self.mostRemembered { return false }
        }
        let recent = times[key, default: []].filter { time.uptime - $0 < Self.window }
        times[key] = (recent + [time.uptime]).suffix(Self.most + 1)
        return recent.count < Self.most
    }

    /// Lets a device wait; returns `false` if too many do.
    mutating func wait(_ deviceID: String, _ name: String, on connection: Int, at time: GatewayTime) -> Bool {
        requests.removeAll { $0.connection == connection }
        guard requests.count < Self.mostWaiting else { return false }
        requests.append(Request(deviceID: deviceID, name: name, connection: connection, since: time.uptime))
        return true
    }

    /// Forgets the request of a connection that has ended.
    mutating func forget(connection: Int) {
        requests.removeAll { $0.connection == connection }
    }

    /// Forgets the requests of a device, since they were decided.
    mutating func settle(_ deviceID: String) {
        requests.removeAll { $0.deviceID == deviceID }
        suspended.remove(deviceID)
    }

    mutating func suspend(_ deviceID: String) {
        if suspended.count < Self.mostRemembered { suspended.insert(deviceID) }
    }

    /// Remembers tokens that were revoked, so that their devices are told so.
    mutating func revoke(_ tokens: Set<String>) {
        revoked = (revoked + tokens).suffix(Self.mostRemembered)
    }

    func hasRevoked(_ token: String) -> Bool { revoked.contains(token) }
}
