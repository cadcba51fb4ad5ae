public import DNSSD

/// The data of an SRV record: the location of a service (RFC 2782).
public struct SRVData: Hashable, Sendable {
    /// The priority: the record with the lowest is to be tried first.
    public var priority: UInt16

    /// The relative frequency with which to choose this one among those of the same priority.
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
