public import DNSSD

/// What an SRV record says: where a service is (RFC 2782).
public struct SRVData: Hashable, Sendable {
    /// Which record to try first: the lowest.
    public var priority: UInt16

    /// How often to choose this one among those of the same priority.
    public var weight: UInt16

    /// The port.
    public var port: UInt16

    /// The host.
    public var target: DomainName

    public init(priority: UInt16 = 0, weight: UInt16 = 0, port: UInt16, target: DomainName) {
        self.priority = priority
        self.weight = weight
        self.port = port
        self.target = target
    }
}
