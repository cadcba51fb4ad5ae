internal import GatewayProtocol

/// The devices that the operator of an OpenClaw gateway has approved, and their tokens.
package struct DeviceRegistry: Hashable, Sendable {
    /// The maximum number of devices.
    static let limit = 256

    /// A device token: the same with every `hello-ok`, until it is rotated or withdrawn.
    package struct Token: Hashable, Sendable {
        let secret: Secret
        /// The time since 1970 in milliseconds.
        let issuedAt: Int
    }

    /// The rights of a device in one role.
    package struct Grant: Hashable, Sendable {
        var scopes: [String]
        /// The token; `nil` once it was withdrawn.
        var token: Token?
    }

    /// An approved device.
    package struct Device: Hashable, Sendable {
        package let id: String
        let publicKey: [UInt8]
        /// The name for people; untrusted.
        package var name: String
        var platform: String
        var deviceFamily: String?
        /// The rights by role.
        package var grants: [String: Grant]
        /// The time since 1970 in milliseconds.
        var approvedAt: Int
    }

    /// A verdict on a device token.
    enum Verdict {
        case valid
        case mismatch
        /// The token is the right one, but lacks some of the scopes that are asked for.
        case scopeMismatch
    }

    /// The devices by identifier.
    package private(set) var devices: [String: Device] = [:]

    package init() {}

    init(_ devices: [Device]) {
        self.devices = Dictionary(devices.map { ($0.id, $0) }) { $1 }
    }

    package subscript(id: String) -> Device? { devices[id] }

    /// Returns the identifier that begins with a text; `nil` if there is none, or more than one.
    package func identifier(prefix: String) -> String? {
        let found = devices.keys.filter { $0.hasPrefix(prefix) }
        return !prefix.isEmpty && found.count == 1 ? found.first : nil
    }

    /// Checks a token that a device sent.
    func verdict(on token: Secret, of id: String, role: String, scopes: [String]) -> Verdict {
        guard let grant = devices[id]?.grants[role], let known = grant.token, known.secret == token else {
            return .mismatch
        }
        return OperatorScopes.missing(scopes, granted: grant.scopes) == nil ? .valid : .scopeMismatch
    }

    /// Approves a device's request: each of its roles gets a new token, and keeps the scopes that it has already.
    /// Scopes whose token was withdrawn do not come back.
    ///
    /// - Throws: ``OperatorRefusal`` when there are too many devices or scopes.
    mutating func approve(
        _ request: PairingRequests.Request,
        at date: Int,
        using generator: inout some RandomNumberGenerator
    ) throws(OperatorRefusal) {
        let known = devices[request.deviceID]
        guard known != nil || devices.count < Self.limit else {
            throw OperatorRefusal(message: "there are too many devices; remove some")
        }
        var grants = known?.grants ?? [:]
        for role in request.roles {
            let held = grants[role].flatMap { $0.token == nil ? nil : $0.scopes } ?? []
            let scopes = OperatorScopes.union(held, request.scopes)
            guard OperatorScopes.fit(scopes) else {
                throw OperatorRefusal(
                    message:
                        "a device has at most \(OperatorScopes.bounds.count) scopes; remove it, and let it ask again"
                )
            }
            grants[role] = Grant(scopes: scopes, token: Self.makeToken(at: date, using: &generator))
        }
        devices[request.deviceID] = Device(
            id: request.deviceID,
            publicKey: request.publicKey,
            name: request.name,
            platform: request.platform,
            deviceFamily: request.deviceFamily,
            grants: grants,
            approvedAt: date
        )
    }

    /// Returns the token of a device in a role, and its scopes. Makes a new token if the old one was withdrawn.
    mutating func token(
        of id: String,
        role: String,
        at date: Int,
        using generator: inout some RandomNumberGenerator
    ) -> (token: Token, scopes: [String])? {
        guard var grant = devices[id]?.grants[role] else { return nil }
        let token = grant.token ?? Self.makeToken(at: date, using: &generator)
        grant.token = token
        devices[id]?.grants[role] = grant
        return (token, grant.scopes)
    }

    /// Gives a device another token for a role.
    mutating func rotate(
        _ id: String,
        role: String,
        scopes: [String]?,
        at date: Int,
        using generator: inout some RandomNumberGenerator
    ) -> Grant? {
        guard let grant = devices[id]?.grants[role], grant.token != nil else { return nil }
        let next = Grant(scopes: scopes ?? grant.scopes, token: Self.makeToken(at: date, using: &generator))
        devices[id]?.grants[role] = next
        return next
    }

    /// Withdraws the token of a device for a role, or for all.
    ///
    /// - Returns: Whether there was one.
    mutating func revoke(_ id: String, role: String? = nil) -> Bool {
        var isRevoked = false
        for (name, grant) in devices[id]?.grants ?? [:] where (role ?? name) == name && grant.token != nil {
            devices[id]?.grants[name]?.token = nil
            isRevoked = true
        }
        return isRevoked
    }

    /// Gives a device another name.
    ///
    /// - Returns: Whether the device is known.
    mutating func rename(_ id: String, to name: String) -> Bool {
        devices[id]?.name = name
        return devices[id] != nil
    }

    /// Forgets a device.
    ///
    /// - Returns: Whether the device was known.
    mutating func remove(_ id: String) -> Bool { devices.removeValue(forKey: id) != nil }

    /// Makes a token of 256 random bits, as 43 characters of base64url.
    private static func makeToken(at date: Int, using generator: inout some RandomNumberGenerator) -> Token {
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return Token(secret: Secret(Base64.url.encode(bytes)), issuedAt: date)
    }
}
