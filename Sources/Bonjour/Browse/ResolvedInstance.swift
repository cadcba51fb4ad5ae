internal import DNSSD

/// The facts known about one instance on one interface.
struct ResolvedInstance {
    /// The number of times that the library has reported the instance as added, less the number of times as removed:
    /// Avahi's library reports each address family by itself.
    var count = 0

    /// The host of the SRV record.
    var host: DomainName?

    /// The port of the SRV record.
    var port: UInt16?

    /// The TXT record.
    var txt: TXTRecord?

    /// The TXT records that the watch has reported and not taken back, the latest last. Right after a change there are
    /// two, in any order, until the daemon drops the old one a second later (RFC 6762 §10.2).
    private var watched: [[UInt8]] = []

    /// The most records that are remembered at once: more than a service has.
    private static let mostWatched = 8

    /// Takes in a record that the watch reports as added or removed.
    mutating func watch(_ data: [UInt8], isAdded: Bool) {
        watched.removeAll { $0 == data }
        if isAdded { watched = watched.suffix(Self.mostWatched - 1) + [data] }
        // When the last one goes, the instance goes with it, or another record follows.
        if let latest = watched.last { txt = TXTRecord(decoding: latest) }
    }

    /// Forgets what the watch has reported, since it has ended.
    mutating func endWatch() { watched = [] }

    /// Indicates whether the last question for SRV and TXT was not answered properly or in time.
    var isUnanswered = false

    /// The time at which the instance is resolved again.
    var refreshAt: ContinuousClock.Instant?

    /// The sighting that was last reported.
    var reported: Sighting?
}

/// An instance on an interface. libdns_sd does not distinguish address families.
struct InstanceKey: Hashable, Sendable {
    let instance: ServiceInstance
    let interface: UInt32
}
