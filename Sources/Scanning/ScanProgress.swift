/// The progress of a scan.
public struct ScanProgress: Hashable, Sendable {
    /// The number of services that are present and either resolved or impossible to resolve.
    public var services = 0

    /// The number of endpoints to which these services and the entered addresses lead, including refused ones.
    public var targets = 0

    /// The number of those that have been asked, or must not be.
    public var asked = 0

    /// The number of gateways that have answered there. Several endpoints can lead to one gateway.
    public var gateways = 0

    /// The number of targets that wait since too many others lead to the same address.
    public var putOff = 0

    /// The number of probes that run or wait for their turn, including those of further addresses.
    public var remaining = 0

    /// Creates the progress of a scan that has found nothing yet.
    public init() {}
}
