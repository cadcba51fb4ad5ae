internal import DNSSD

/// The facts that are known of one instance on one interface.
struct BrowsedPath {
    /// The number of times that the library said that the instance came, less the number of times that it went: Avahi's
    /// library tells of each family.
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

    /// The sighting that was last reported.
    var reported: Sighting?
}

/// An instance on an interface. libdns_sd does not tell families apart.
struct PathKey: Hashable, Sendable {
    let instance: ServiceInstance
    let interface: UInt32
}
