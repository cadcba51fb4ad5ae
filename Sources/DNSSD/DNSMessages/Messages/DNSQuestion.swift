/// A question (RFC 1035 §4.1.2).
package struct DNSQuestion: Hashable, Sendable {
    /// The name that is asked about.
    package var name: DomainName

    /// The type of record that is wanted.
    package var type: DNSRecordType

    /// The class that is wanted.
    package var dnsClass: DNSClass

    /// In multicast DNS: whether a unicast response is wanted (the QU bit, RFC 6762 §5.4, the topmost bit of the
    /// class).
    package var isUnicastWanted: Bool

    /// Creates a question; by default of the Internet class, without the QU bit.
    package init(
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

    /// Indicates whether a record answers the question: the names match, and so do type and class unless the question
    /// asks for any (RFC 6762 §6).
    ///
    /// A CNAME record does not count as an answer here, although a unicast resolver would follow it.
    package func isAnswered(by record: DNSRecord) -> Bool {
        (type == .any || type == record.type) && (dnsClass == .any || dnsClass == record.dnsClass)
            && name == record.name
    }
}

extension DNSQuestion {
    /// Creates a question that is sent from a port of our own.
    ///
    /// Its QU bit is set (RFC 6762 §5.4). Most responders go by the port and would answer alike without it (RFC 6762
    /// §6.7). hashicorp/mdns goes by the bit alone: it sends every answer to the port that asked, but repeats the id of
    /// the query only if the bit is set.
    package init(oneShot name: DomainName, type: DNSRecordType) {
        self.init(name: name, type: type, isUnicastWanted: true)
    }
}
