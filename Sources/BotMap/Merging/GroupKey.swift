internal import GatewayProtocol

/// Which leads are looked at together, since they can be one gateway or are flagged because of each other.
enum GroupKey: Hashable, Sendable {
    /// All that claim a fingerprint.
    case fingerprint(GatewayFingerprint)

    /// One that names none, or contradicts itself, alone.
    case lead(GatewayLead)
}
