internal import DNSSD

/// What is known of one instance on one interface.
struct BrowsedPath {
    /// How often the library said that it came, less how often that it went: Avahi's tells of each family.
    var count = 0

    /// The host of the SRV record.
    var host: DomainName?

    /// The port of the SRV record.
    var port: UInt16?

    /// The TXT record.
    var txt: TXTRecord?

    /// The last question for SRV and TXT was not answered in time.
    var isUnanswered = false

    /// Asked again at this time, unless its TXT record is watched.
    var refreshAt: ContinuousClock.Instant?

    /// What was told last.
    var told: Sighting?
}
