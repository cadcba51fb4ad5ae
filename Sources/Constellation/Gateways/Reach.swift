/// The distance to an endpoint.
public enum Reach: String, Hashable, Sendable, CaseIterable, Comparable {
    /// On this network.
    case local

    /// Through a tunnel, or on another network.
    case remote

    /// The nearer first.
    public static func < (lhs: Reach, rhs: Reach) -> Bool { lhs == .local && rhs == .remote }
}
