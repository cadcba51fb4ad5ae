internal import DNSSD

/// The facts known about one instance on one interface.
struct BrowsedPath {
    /// The number of times that the library has reported the instance as added, less the number of times as removed:
    /// Avahi's library reports each address family by itself.
    var count = 0

    /// The host of the SRV record.
    var host: DomainName?

    /// The port of the SRV record.
    var port: UInt16?

    /// The TXT record.
    var txt: TXTRecord?

    /// Indicates whether the last question for SRV and TXT was not answered properly or in time.
    var isUnanswered = false

    /// The time at which the instance is resolved again.
    var refreshAt: ContinuousClock.Instant?

    /// The sighting that was last reported.
    var reported: Sighting?
}

/// An instance on an interface. libdns_sd does not distinguish address families.
struct PathKey: Hashable, Sendable {
    let instance: ServiceInstance
    let interface: UInt32
}
