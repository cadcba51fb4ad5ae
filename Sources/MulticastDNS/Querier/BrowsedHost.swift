internal import DNSMessages
internal import DNSSD

/// A host that SRV records lead to.
struct BrowsedHost {
    /// The instances on it.
    var instances: Set<DomainName> = []

    /// The types of address that it says it does not have (RFC 6762 §6.1).
    var lacks: Set<DNSRecordType> = []
}
