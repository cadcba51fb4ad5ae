/// A warning that a user should know of before trusting a gateway.
public enum GatewayFlag: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Another row claims the same fingerprint.
    case sameFingerprint

    /// An endpoint answered as another gateway than what led to it says, or than its other endpoints do.
    case contradicts

    /// It claims to be a paired gateway, and has not proved it where it is now.
    case moved

    public static func < (lhs: GatewayFlag, rhs: GatewayFlag) -> Bool { lhs.rawValue < rhs.rawValue }
}
