/// The progress of a scan.
public struct ScanProgress: Hashable, Sendable {
    /// Services that are present and resolved, or cannot be.
    public var services = 0

    /// The number of endpoints that these services and the typed-in addresses lead to, refused ones included.
    public var targets = 0

    /// The number of those that have been asked, or must not be.
    public var asked = 0

    /// The number of those behind which a gateway answered.
    public var gateways = 0

    /// Targets that wait since too many others lead to the same address.
    public var putOff = 0

    /// Probes that run or wait for their turn, those of further addresses included.
    public var remaining = 0

    public init() {}
}
