internal import DNSMessages
internal import DNSSD

/// An instance that is listed under a name that is browsed for.
struct BrowsedInstance {
    let instance: ServiceInstance

    /// The source that brought it.
    let source: PacketSource

    /// The names that list it: the type, subtypes, or both.
    var listings: [DomainName]

    /// The host of its SRV record.
    var host: DomainName?

    /// The location that its SRV record last gave, and the addresses that have sent that record, link-local ones with
    /// their scope.
    var location: SRVData?
    var heardFrom: [IPAddress] = []

    /// Indicates whether this host itself has sent that record.
    var isOwn = false

    /// The time since which something has been missing; `nil` while nothing is.
    var incompleteSince: ContinuousClock.Instant?

    /// The sighting that was last told.
    var reported: Sighting?

    /// The browses that were told of it.
    var listeners: [BrowseID] = []
}

/// A host that SRV records lead to.
struct BrowsedHost {
    /// The instances on it.
    var instances: Set<DomainName> = []

    /// The types of address that it says it does not have (RFC 6762 §6.1).
    var lacks: Set<DNSRecordType> = []
}
