/// How far a scan has come.
public struct ScanProgress: Hashable, Sendable {
    /// Services that are present and resolved, or cannot be.
    public var services = 0

    /// What they and the typed-in addresses lead to: sets of endpoints, each of one thing.
    public var targets = 0

    /// Targets that have been asked, or must not be.
    public var asked = 0

    /// Targets behind which a gateway answered.
    public var gateways = 0

    /// Targets that wait since too many others lead to the same address.
    public var putOff = 0

    /// Probes that run or wait for their turn, those of further addresses included.
    public var remaining = 0

    public init() {}
}
