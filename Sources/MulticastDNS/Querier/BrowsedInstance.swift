internal import DNSMessages
internal import DNSSD

/// An instance that is listed under a name that is browsed for.
struct BrowsedInstance {
    let instance: ServiceInstance

    /// Who brought it.
    let source: PacketSource

    /// The names that list it: the type, subtypes, or both.
    var listings: [DomainName]

    /// The host of its SRV record.
    var host: DomainName?

    /// What its SRV record last said, and who has sent that one, link-local addresses with their scope.
    var location: SRVData?
    var heardFrom: [IPAddress] = []

    /// Whether this host itself has sent it.
    var isOwn = false

    /// Since when something is missing; `nil` while nothing is.
    var incompleteSince: ContinuousClock.Instant?

    /// What was last told of it.
    var told: Sighting?

    /// Who was told that.
    var listeners: [BrowseID] = []
}
