/// One of the three sections of a message that hold records, in their order (RFC 1035 §4.1).
///
/// In an update they are the prerequisites, the changes and what comes along (RFC 2136 §2); the zone is the question.
public enum DNSSection: Int, Hashable, Sendable, CaseIterable, Comparable {
    case answers
    case authorities
    case additionals

    public static func < (lhs: DNSSection, rhs: DNSSection) -> Bool { lhs.rawValue < rhs.rawValue }
}
