public import DNSSD

/// A question (RFC 1035 §4.1.2).
public struct DNSQuestion: Hashable, Sendable {
    /// The name that is asked about.
    public var name: DomainName

    /// The type of record that is wanted.
    public var type: DNSRecordType

    /// The class that is wanted.
    public var dnsClass: DNSClass

    /// In multicast DNS: whether a unicast answer is wanted (the QU bit, RFC 6762 §5.4, the topmost bit of the class).
    public var isUnicastWanted: Bool

    public init(
        name: DomainName,
        type: DNSRecordType,
        dnsClass: DNSClass = .internet,
        isUnicastWanted: Bool = false
    ) {
        self.name = name
        self.type = type
        self.dnsClass = dnsClass
        self.isUnicastWanted = isUnicastWanted
    }

    /// Indicates whether a record is an answer to it: the name, and the type and class or any (RFC 6762 §6).
    ///
    /// An alias is no answer here, though a unicast resolver follows it.
    public func isAnswered(by record: DNSRecord) -> Bool {
        (type == .any || type == record.type) && (dnsClass == .any || dnsClass == record.dnsClass)
            && name == record.name
    }
}
