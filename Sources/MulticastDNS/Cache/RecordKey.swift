internal import DNSMessages
internal import DNSSD

/// What a question asks for, and what a set of records answers: a name and a type, in the class of the Internet.
struct RecordKey: Hashable, Sendable {
    let name: DomainName
    let type: DNSRecordType

    init(_ name: DomainName, _ type: DNSRecordType) {
        self.name = name
        self.type = type
    }

    /// The question. Never with the QU bit: a unicast answer to the shared port may reach another process of this host
    /// (RFC 6762 §15.1).
    var question: DNSQuestion { DNSQuestion(name: name, type: type) }
}
