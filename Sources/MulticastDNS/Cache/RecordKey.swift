internal import DNSMessages
internal import DNSSD

/// The name and type, in the Internet class, that a question asks for and a set of records answers.
struct RecordKey: Hashable, Comparable, Sendable {
    let name: DomainName
    let type: DNSRecordType

    init(_ name: DomainName, _ type: DNSRecordType) {
        self.name = name
        self.type = type
    }

    /// The question for the records, never with the QU bit: a unicast answer to the shared port may reach another
    /// process of this host (RFC 6762 §15.1).
    var question: DNSQuestion { DNSQuestion(name: name, type: type) }

    static func < (lhs: RecordKey, rhs: RecordKey) -> Bool {
        lhs.type != rhs.type ? lhs.type < rhs.type : lhs.name < rhs.name
    }
}
