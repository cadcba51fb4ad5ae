internal import DNSSD

/// An instance that is listed under a name that is browsed for.
struct ListedInstance {
    let instance: ServiceInstance

    /// The source that brought the instance.
    let source: PacketSource

    /// The names that list the instance: the type, subtypes, or both.
    var listings: [DomainName]

    /// The host that the SRV record points to.
    var host: DomainName?

    /// The location in the SRV record that was received last, and the addresses that have sent that record, link-local
    /// ones with their scope.
    var location: SRVData?
    var heardFrom: [IPAddress] = []

    /// Indicates whether this host itself has sent that record.
    var isOwn = false

    /// The time since which a record has been missing; `nil` while none is.
    var incompleteSince: ContinuousClock.Instant?

    /// The sighting that was last reported.
    var reported: Sighting?

    /// The browses to which the instance was reported.
    var listeners: [BrowseID] = []
}

/// A host that SRV records point to.
struct QuerierHost {
    /// The instances on the host: nearly always one.
    var instances = MostlyOne<DomainName>()

    /// The address types that the host has announced not to have (RFC 6762 §6.1).
    var lacks: Set<DNSRecordType> = []
}
