/// The times for which records of ours are valid, in seconds (RFC 6762 §10).
enum RecordTTL {
    /// Those with a host's name in them, or as their name.
    static let host: UInt32 = 120

    /// All others.
    static let other: UInt32 = 4_500

    /// The most that a legacy querier is told, which does not hear of changes (RFC 6762 §6.7).
    static let legacy: UInt32 = 10
}
