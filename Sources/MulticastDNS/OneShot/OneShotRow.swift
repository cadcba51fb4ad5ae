internal import DNSMessages
internal import DNSSD

/// What is known of one instance on one path.
struct OneShotRow {
    /// Its identity.
    let instance: ServiceInstance

    /// Who brought it.
    let source: PacketSource

    /// Whether a PTR record of a type that is browsed for leads to it.
    var isPointedTo = false

    var location: SRVData?

    /// The RDATA of its TXT record.
    var text: [UInt8]?

    /// What has been told of it.
    var told: Sighting?

    /// Whether the backend sees it as well: then it is the backend's business.
    var isConfirmed = false

    /// How often what it lacks has been asked for.
    var rounds = 0

    /// Until when the answer to that is waited for.
    var askedUntil: ContinuousClock.Instant?

    /// Whether it has answered in this check.
    var hasAnswered = true

    /// Whether it was asked for by its name in this check.
    var wasAsked = false

    /// In how many checks in a row it has not answered.
    var misses = 0
}
