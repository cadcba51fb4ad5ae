internal import DNSMessages

/// A host that SRV records lead to.
struct BrowsedHost {
    /// The instances on it.
    var instances: Set<DNSName> = []

    /// The types of address that it says it does not have (RFC 6762 §6.1).
    var lacks: Set<DNSRecordType> = []
}
