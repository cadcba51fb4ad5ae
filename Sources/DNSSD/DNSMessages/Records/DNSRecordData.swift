/// The data of a record: its RDATA.
///
/// Data of a type that is not listed here is kept as the bytes that were received. Such bytes may hold compression
/// pointers, which mean nothing outside of their message: do not send them in another one.
package enum DNSRecordData: Hashable, Sendable {
    /// An IPv4 address as a number, the first byte highest.
    case a(UInt32)

    /// An IPv6 address as a number, the first byte highest.
    case aaaa(UInt128)

    /// The name that an alias refers to.
    case cname(DomainName)

    /// The name of a server of a zone.
    case ns(DomainName)

    /// The types of record that a name has; it has no others.
    case nsec(NSECData)

    /// The options of EDNS. Payload size and flags are fields of the ``DNSRecord``.
    case opt(OPTData)

    /// The name pointed to.
    case ptr(DomainName)

    /// The start of a zone.
    indirect case soa(SOAData)

    /// The host and port of a service.
    case srv(SRVData)

    /// The signature of a transaction.
    indirect case tsig(TSIGData)

    /// The strings, each preceded by its length byte, exactly as they are on the wire. They are not checked and may be
    /// malformed; whoever reads them has to expect that.
    case txt([UInt8])

    /// Data of any other type, or no data where an update deletes records (RFC 2136 §2.5).
    case other(DNSRecordType, [UInt8])

    /// The type of the record.
    package var type: DNSRecordType {
        switch self {
        case .a: .a
        case .aaaa: .aaaa
        case .cname: .cname
        case .ns: .ns
        case .nsec: .nsec
        case .opt: .opt
        case .ptr: .ptr
        case .soa: .soa
        case .srv: .srv
        case .tsig: .tsig
        case .txt: .txt
        case .other(let type, _): type
        }
    }
}
