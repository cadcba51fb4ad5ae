internal import GatewayProtocol

/// The devices of a Clawline provider that wait, were suspended or revoked, and how often each has asked. A value; not
/// stored.
package struct ClawlineState: Hashable, Sendable {
    /// A kind of request that is limited.
    enum Kind: Hashable {
        case pair
        case auth
    }

    /// The most requests of one kind in a minute from one device.
    package static let most = 5

    /// The time within which they are counted, in milliseconds.
    package static let window = 60_000

    /// The time in milliseconds for which a device waits.
    package static let requestLife = 300_000

    /// The greatest length of the name that a device claims, in bytes.
    static let nameLimit = 64

    /// The beginning of the identifiers of a provider's messages, and of accounts.
    static let (messagePrefix, accountPrefix) = ("s_", "user_")

    /// Returns whether a text names an account, which may be a new one.
    static func isAccount(_ text: String) -> Bool {
        text.hasPrefix(accountPrefix) && UUIDText.isRandom(text.dropFirst(accountPrefix.utf8.count))
    }

    /// The most devices that are remembered for one reason.
    private static let mostRemembered = 1_024

    private struct Key: Hashable {
        let deviceID: String
        let kind: Kind
    }

    /// Indicates whether devices are approved at once.
    package var approvesAll = true

    /// The devices that wait.
    var queue = DeviceQueue()

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

    /// Forgets the requests of a device, since they were decided.
    mutating func settle(_ deviceID: String) {
        queue.settle(deviceID)
        suspended.remove(deviceID)
    }

    mutating func suspend(_ deviceID: String) {
        if suspended.count < Self.mostRemembered { suspended.insert(deviceID) }
    }

    /// Remembers tokens that were revoked, so that their devices are told so.
    mutating func revoke(_ tokens: Set<String>) {
        revoked = (revoked + tokens).suffix(Self.mostRemembered)
    }

    /// Returns the claims of a token, as a provider of today makes it: a header and claims, to which a secret part is added
    /// in place of a signature.
    static func claims(of deviceID: String, isAdmin: Bool, at time: GatewayTime) -> String {
        let header: JSONValue = .object(["alg": "HS256", "typ": "JWT"])
        let claims: JSONValue = .object([
            "sub": .string(deviceID), "deviceId": .string(deviceID), "isAdmin": .bool(isAdmin),
            "exp": .number(JSONNumber(time.date / 1_000 + tokenLife)),
        ])
        return [header, claims].map { Base64.url.encode($0.encoded) }.joined(separator: ".")
    }

    /// The life of a token, in seconds. It is not checked.
    private static let tokenLife = 31_536_000

    /// Returns whether a token that the provider knows is an admin's.
    static func isAdmin(_ token: String) -> Bool { ClawlineClaims(Secret(token))?.isAdmin == true }

    func hasRevoked(_ token: String) -> Bool { revoked.contains(token) }
}
