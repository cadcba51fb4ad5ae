public import DNSSD

/// A resource record (RFC 1035 §4.1.3).
public struct DNSRecord: Hashable, Sendable {
    /// The name that it belongs to.
    public var name: DomainName

    /// Its class.
    public var dnsClass: DNSClass

    /// In multicast DNS: whether it replaces all older records of its name, type and class (RFC 6762 §10.2, the topmost
    /// bit of the class). In unicast DNS the bit is part of the class and 0.
    public var isCacheFlush: Bool

    /// The number of seconds for which it is valid. 0 is a goodbye in multicast DNS (RFC 6762 §10.1).
    public var ttl: UInt32

    /// The data of the record.
    public var data: DNSRecordData

    public init(
        name: DomainName,
        dnsClass: DNSClass = .internet,
        isCacheFlush: Bool = false,
        ttl: UInt32,
        data: DNSRecordData
    ) {
        self.name = name
        self.dnsClass = dnsClass
        self.isCacheFlush = isCacheFlush
        self.ttl = ttl
        self.data = data
    }

    /// Its type.
    public var type: DNSRecordType { data.type }
}
