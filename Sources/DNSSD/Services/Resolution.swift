/// The progress of the look-up of an instance's SRV, TXT and address records.
public enum Resolution: Hashable, Sendable {
    /// Queried, but not complete yet.
    case resolving

    /// SRV, TXT and at least one address are known.
    case resolved

    /// Nobody answered in time, or the answers cannot be used. The service can still become ``resolved``.
    ///
    /// The text names the missing record and says how long it was waited for.
    case failed(reason: String)

    /// Indicates whether there is nothing to wait for at the moment.
    public var isSettled: Bool { self != .resolving }
}
