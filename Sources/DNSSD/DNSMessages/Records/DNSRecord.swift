/// A resource record (RFC 1035 §4.1.3).
package struct DNSRecord: Hashable, Sendable {
    /// The name that the record belongs to.
    package var name: DomainName

    /// The class of the record.
    package var dnsClass: DNSClass

    /// In multicast DNS: whether the record replaces all older records of its name, type and class (RFC 6762 §10.2, the
    /// topmost bit of the class). In unicast DNS the bit is part of the class and 0.
    package var isCacheFlush: Bool

    /// The number of seconds for which the record is valid. In multicast DNS, 0 makes it a goodbye (RFC 6762 §10.1).
    package var ttl: UInt32

    /// The data of the record.
    package var data: DNSRecordData

    /// Creates a record; by default of the Internet class, without the cache-flush bit. Its type is that of its data.
    package init(
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

    /// The type of the record.
    package var type: DNSRecordType { data.type }
}
