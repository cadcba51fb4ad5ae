/// The type of a record, or the type that a question asks for (RFC 1035 §3.2.2, §3.2.3).
package struct DNSRecordType: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// An IPv4 address (RFC 1035 §3.4.1).
    package static let a = DNSRecordType(rawValue: 1)
    /// A server of a zone (RFC 1035 §3.3.11).
    package static let ns = DNSRecordType(rawValue: 2)
    /// An alias (RFC 1035 §3.3.1).
    package static let cname = DNSRecordType(rawValue: 5)
    /// The start of a zone (RFC 1035 §3.3.13).
    package static let soa = DNSRecordType(rawValue: 6)
    /// A pointer to another name (RFC 1035 §3.3.12); in DNS-SD, from a type to its instances (RFC 6763 §4.1).
    package static let ptr = DNSRecordType(rawValue: 12)
    /// Texts (RFC 1035 §3.3.14); in DNS-SD, keys with values (RFC 6763 §6).
    package static let txt = DNSRecordType(rawValue: 16)
    /// An IPv6 address (RFC 3596 §2.1).
    package static let aaaa = DNSRecordType(rawValue: 28)
    /// The host and port of a service (RFC 2782).
    package static let srv = DNSRecordType(rawValue: 33)
    /// EDNS (RFC 6891).
    package static let opt = DNSRecordType(rawValue: 41)
    /// The types that a name has, and thereby those that it does not have (RFC 4034 §4, RFC 6762 §6.1).
    package static let nsec = DNSRecordType(rawValue: 47)
    /// The signature of a transaction (RFC 8945).
    package static let tsig = DNSRecordType(rawValue: 250)
    /// Every type, in a question.
    package static let any = DNSRecordType(rawValue: 255)

    /// Orders the types by their numbers.
    package static func < (lhs: DNSRecordType, rhs: DNSRecordType) -> Bool { lhs.rawValue < rhs.rawValue }

    /// The mnemonic of the type, or a text such as `TYPE65280` where none is known here (RFC 3597 §5).
    package var description: String {
        switch self {
        case .a: "A"
        case .ns: "NS"
        case .cname: "CNAME"
        case .soa: "SOA"
        case .ptr: "PTR"
        case .txt: "TXT"
        case .aaaa: "AAAA"
        case .srv: "SRV"
        case .opt: "OPT"
        case .nsec: "NSEC"
        case .tsig: "TSIG"
        case .any: "ANY"
        default: "TYPE\(rawValue)"
        }
    }
}
