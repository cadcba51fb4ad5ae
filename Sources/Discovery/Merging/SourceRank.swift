/// The ranks of the sources of this package.
enum SourceRank {
    /// The system's daemon: one mDNS stack per host is the polite and the reliable way.
    static let daemon = 30

    /// Our own engine.
    static let engine = 20

    /// The one-shot query.
    static let oneShot = 10
}
