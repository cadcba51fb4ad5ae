/// The names of a message that are written as pointers to earlier ones (RFC 1035 §4.1.4).
public enum DNSNameCompression: Hashable, Sendable {
    /// None.
    case none

    /// The owners of records, and the names in PTR, NS, CNAME and SOA records, not those in SRV and NSEC records: for
    /// unicast DNS (RFC 2782, RFC 3597 §4) and for answers to legacy queriers (RFC 6762 §18.14).
    case unicast

    /// Those in SRV and NSEC records as well (RFC 6762 §18.14).
    case multicast
}
