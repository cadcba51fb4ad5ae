internal import DNSSD

/// A multicast DNS responder: what this process publishes, and the queries that it answers (RFC 6762 §6–§10). A value:
/// no clock, no I/O.
///
/// The host's name and every publication are claims. A claim is probed for and announced on every path on which it is
/// to be known, and queries for it are answered from then on; when its name turns out to be taken, it takes the next
/// name on every path. Responses on a link contain the host's addresses on that link only.
///
/// Its parts are in `Responder+….swift`; only they use its properties. After any other call, ``turn(now:using:)`` has
/// to be called, and returns what is to be done.
struct Responder {
    let limits: ResponderLimits

    /// The time of the current call.
    var now: ContinuousClock.Instant

    /// The name of this host on the link.
    var host: HostName

    /// The services that are published, or are to be.
    var publications: [PublicationID: Publication] = [:]

    /// The claims to names, with the phase of each. The host has one while anything is published.
    var claims: [ClaimKey: Claim] = [:]

    /// The claim that owns each unique name.
    var owners: [DomainName: ClaimKey] = [:]

    /// The paths on which multicast DNS is used.
    var paths: [ServicePath: ResponderPath] = [:]

    /// The other responders of this host that claim its name as well.
    var coResponders: [ServicePath: CoResponder] = [:]

    /// The reason why there is no path where there should be one, if that is known.
    var trouble: BackendError?

    /// The time at which the next probe or announcement is due.
    var claimDeadline: ContinuousClock.Instant?

    /// The time at which the latest probing begins: claims that are made before then share its packets (RFC 6762 §8.1).
    var nextStart: ContinuousClock.Instant?

    var former = FormerRecords()
    var deferred: DeferredQueries
    var allowances: SourceAllowances

    /// The counts of the work that was refused, by the limit that forbade it.
    var counters = ResponderCounters()

    var actions: [ResponderAction] = []
    var warned: Set<BackendWarning.Code> = []

    private var lastID = 0

    /// Creates a responder that publishes nothing yet.
    ///
    /// - Parameter systemName: The name that the system has for this host.
    init(systemName: String, limits: ResponderLimits = ResponderLimits(), now: ContinuousClock.Instant) {
        self.limits = limits
        self.now = now
        self.host = HostName(systemName: systemName)
        self.deferred = DeferredQueries(limits: limits)
        self.allowances = SourceAllowances(limits: limits, now: now)
    }

    /// Indicates whether nothing is published.
    var isIdle: Bool { publications.isEmpty }

    /// The full names of the instances that are published, or are to be.
    var instances: Set<DomainName> { Set(publications.values.flatMap(\.records.names)) }

    mutating func nextID() -> PublicationID {
        lastID += 1
        return PublicationID(number: lastID)
    }

    // MARK: Records

    /// Returns the records of a claim on a path.
    func records(of key: ClaimKey, on path: ServicePath) -> PublishedRecords? {
        switch key {
        case .host:
            paths[path].map { known in
                let all = PublishedRecords(host: host.name, addresses: addresses(of: known.link))
                return coResponders[path]?.agreed(all) ?? all
            }
        case .publication(let id): publications[id]?.records
        }
    }

    /// Returns the addresses of this host that are published on a link.
    func addresses(of link: Link) -> [IPAddress] {
        let addresses = link.prefixes.map(\.address).filter { !$0.isLoopback && !$0.isUnspecified && !$0.isMulticast }
        return Array(addresses.prefix(limits.addressesPerLink))
    }

    /// Indicates whether an address belongs to this host, on any link: two of its interfaces may be on the same one.
    func isOwn(_ address: IPAddress) -> Bool {
        paths.values.contains { path in path.link.prefixes.contains { $0.address.bytes == address.bytes } }
    }

    /// Returns the records that we answer with on a path.
    mutating func zone(of path: ServicePath) -> RecordZone {
        if let zone = paths[path]?.zone { return zone }
        var zone = RecordZone()
        for (key, claim) in claims where claim.phases[path]?.isAnswered == true {
            if let records = records(of: key, on: path) { zone.insert(records) }
        }
        paths[path]?.zone = zone
        paths[path]?.keepOnly { zone.contains($0) }
        return zone
    }

    /// Discards the collected records of a path, since they have changed.
    mutating func invalidate(_ path: ServicePath) {
        paths[path]?.zone = nil
    }

    mutating func invalidateAll() {
        for path in paths.keys { invalidate(path) }
    }

    mutating func warn(_ warning: BackendWarning) {
        guard warned.insert(warning.code).inserted else { return }
        actions.append(.warn(warning))
    }
}
