/// The progress of the look-up of an instance's SRV, TXT and address records.
public enum Resolution: Hashable, Sendable {
    /// Asked for, not yet complete.
    case resolving

    /// SRV, TXT and at least one address are known.
    case resolved

    /// Nobody answered in time, or what was answered cannot be used. It can still become ``resolved``.
    ///
    /// The text says which record is missing and how long it was waited for.
    case failed(reason: String)

    /// Indicates whether there is nothing more to wait for just now.
    public var isSettled: Bool { self != .resolving }
}
