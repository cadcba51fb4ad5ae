/// The claims that the token of a Clawline provider makes. They are a hint and nothing more: only the provider can check
/// them.
package struct ClawlineClaims: Hashable, Sendable {
    /// The greatest size of the claims, in bytes.
    private static let limit = 4_096

    /// Indicates whether the device is an admin: the provider makes the first device one that it pairs. `nil` where the token
    /// does not say it: newer providers say it of each session instead (``ClawlineSession``).
    package let isAdmin: Bool?

    /// Reads the claims of a JSON Web Token (RFC 7519); `nil` if it is none.
    package init?(_ token: Secret) {
        // Only the part between the points: without the signature it opens nothing.
        let claims = token.withUnsafeBytes { bytes -> String? in
            let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 3, parts[1].count <= Self.limit else { return nil }
            return String(validating: parts[1], as: UTF8.self)
        }
        guard let claims, let bytes = Base64.url.decode(claims),
            let json = try? JSONValue(parsing: bytes, limits: JSONLimits(maximumBytes: Self.limit, maximumDepth: 8))
        else { return nil }
        isAdmin = json["isAdmin"]?.bool
    }
}
