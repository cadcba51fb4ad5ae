internal import GatewayProtocol

/// The requests of devices to be approved, which an OpenClaw gateway holds until its operator decides.
package struct PairingRequests: Hashable, Sendable {
    /// The time that a request lives, in milliseconds.
    package static let life = 300_000

    /// The maximum number of requests that are held.
    private static let limit = 64

    /// The maximum size of the platform and the device family in a request, in bytes; the rest is cut off.
    fileprivate static let textBytes = 128

    /// The reason why a device needs to be approved.
    package enum Reason: String, Hashable, Sendable {
        case notPaired = "not-paired"
        case roleUpgrade = "role-upgrade"
        case scopeUpgrade = "scope-upgrade"
        case metadataUpgrade = "metadata-upgrade"
    }

    /// A request that waits for a decision.
    package struct Request: Hashable, Sendable {
        /// The identifier by which the operator decides.
        package let id: String
        package let deviceID: String
        let publicKey: [UInt8]
        /// The name for people; untrusted.
        package let name: String
        let platform: String
        let deviceFamily: String?
        package let reason: Reason
        /// The roles, sorted, including those of the requests that it has replaced.
        package let roles: [String]
        /// The scopes, sorted, including those of the requests that it has replaced.
        package let scopes: [String]
        /// The moment of the first attempt with this identifier.
        package let madeAt: GatewayTime
        var expiresAt: Int
    }

    /// The requests, the oldest first.
    package private(set) var requests: [Request] = []

    package init() {}

    /// Records an attempt to connect by a device that is not approved for it.
    ///
    /// - Returns: The device's present request, whether it is new, and the request that it replaces. The request stays
    ///   the same as long as the device asks for the same in the same role; which attempts count as the same depends on
    ///   the era.
    mutating func attempt(
        _ params: ConnectParams,
        deviceID: String,
        publicKey: [UInt8],
        reason: Reason,
        era: OpenClawEra,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) -> (request: Request, isNew: Bool, replaced: Request?) {
        expire(at: time)
        let scopes = Set(params.scopes).sorted()
        let before = requests.firstIndex { $0.deviceID == deviceID }
        if let before, isSame(requests[before], role: params.role, scopes: scopes, era: era) {
            if era >= .july2026 { requests[before].expiresAt = time.uptime + Self.life }
            return (requests[before], false, nil)
        }
        let replaced = before.map { requests.remove(at: $0) }
        let merged = era >= .july2026 ? replaced : nil
        let together = OperatorScopes.union(merged?.scopes ?? [], scopes)
        let request = Request(
            id: Self.makeUUID(using: &generator),
            deviceID: deviceID,
            publicKey: publicKey,
            name: params.name,
            platform: params.storedPlatform,
            deviceFamily: params.storedDeviceFamily,
            reason: reason,
            roles: OperatorScopes.union(merged?.roles ?? [], [params.role]),
            // Scopes that would add up beyond the bounds are dropped: only those of the latest attempt remain.
            scopes: OperatorScopes.fit(together) ? together : scopes,
            madeAt: time,
            expiresAt: time.uptime + Self.life
        )
        requests = requests.suffix(Self.limit - 1) + [request]
        return (request, true, replaced)
    }

    private func isSame(_ request: Request, role: String, scopes: [String], era: OpenClawEra) -> Bool {
        switch era {
        case .january2026: true
        case .april2026: request.roles == [role] && request.scopes == scopes
        case .july2026, .august2026: request.roles.contains(role) && Set(scopes).isSubset(of: request.scopes)
        }
    }

    /// Removes and returns a request that is being decided; `nil` when there is none with this identifier any more.
    mutating func decide(_ id: String, at time: GatewayTime) -> Request? {
        expire(at: time)
        return requests.firstIndex { $0.id == id }.map { requests.remove(at: $0) }
    }

    /// Returns the requests that wait at a moment.
    package func waiting(at time: GatewayTime) -> [Request] { requests.filter { $0.expiresAt > time.uptime } }

    /// Forgets the request of a device.
    mutating func forget(deviceID: String) { requests.removeAll { $0.deviceID == deviceID } }

    private mutating func expire(at time: GatewayTime) { requests.removeAll { $0.expiresAt <= time.uptime } }

    /// Returns a random UUID (RFC 9562 §5.4).
    private static func makeUUID(using generator: inout some RandomNumberGenerator) -> String {
        let high = generator.next() & ~0xF000 | 0x4000
        let low = generator.next() & ~(0b11 << 62) | 0b10 << 62
        let digits = UInt64.hexadecimal(high) + UInt64.hexadecimal(low)
        var parts: [Substring] = []
        var rest = digits[...]
        for length in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return parts.joined(separator: "-")
    }
}

extension ConnectParams {
    /// The part of the platform that is stored, and that a stored one is compared with.
    var storedPlatform: String { platform.cut(toBytes: PairingRequests.textBytes) }

    /// The part of the device family that is stored, and that a stored one is compared with.
    var storedDeviceFamily: String? { deviceFamily?.cut(toBytes: PairingRequests.textBytes) }
}

extension UInt64 {
    /// Returns a number as sixteen hexadecimal digits, with leading zeroes.
    static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
