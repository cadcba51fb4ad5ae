internal import DNSSD

/// A source of sightings that takes part in a browse alongside others: a backend, the one-shot query, a DNS server.
///
/// A ``BrowseMerge`` merges the reports of all of them.
protocol BrowseSource: Sendable {
    /// The role that it has alongside the others, and its capabilities.
    var traits: SourceTraits { get }

    /// Makes a session for one browse; a standby gets another one each time that it is needed. The session may acquire
    /// resources of the system, such as a thread, and reports nothing before ``SourceSession/prepare()``.
    ///
    /// - Parameter report: A closure that receives what the source sees, on any thread, one report after the other.
    func makeSession(
        _ request: BrowseRequest,
        report: @escaping @Sendable (SourceReport) -> Void
    ) -> any SourceSession

    /// See `ServiceBackend.reconfirm(_:)`.
    func reconfirm(_ instance: ServiceInstance)

    /// See `ServiceBackend.protect(_:_:)`.
    func protect(_ instance: ServiceInstance, _ isProtected: Bool)
}

/// One browse of a source.
protocol SourceSession: Sendable {
    /// Does everything that must be done before any other source of the browse works. Always followed by ``run()``.
    func prepare() async

    /// Works until the task is cancelled. Nothing is reported after this has returned. Called once.
    func run() async

    /// Takes in what has become of the reports of other sources. Called on any thread; returns at once.
    func update(_ update: CompanionUpdate)
}

extension SourceSession {
    func prepare() async {}

    func update(_ update: CompanionUpdate) {}
}

/// The role of a source alongside others, and its capabilities.
struct SourceTraits: Hashable, Sendable {
    /// A role in a browse.
    enum Role: Hashable, Sendable {
        /// A source that always works. The status of the one with the highest rank is that of the browse.
        case primary

        /// A source that works while no primary source has a daemon. The status of the standby with the highest rank is
        /// then that of the browse.
        case standby

        /// A source that always works alongside the others, and gives way to them: it no longer has to follow instances
        /// that one of them has resolved. Its status does not affect that of the browse.
        case companion

        /// A source that always works beside the others, for services that none of them sees. The browse is busy while it
        /// is; its status does not affect that of the browse.
        case beside
    }

    /// The name under which its sightings are shown.
    var name: SightingSource

    var role: Role

    /// The rank among several sources that see the same instance: the report of the highest one counts.
    var rank: Int

    /// The capabilities of its backend; those of companions do not count.
    var capabilities = BackendCapabilities.all

    /// Indicates whether its reports make those of companions superfluous.
    var isAuthority: Bool { role == .primary || role == .standby }

    /// Indicates whether it hears goodbyes: an instance that it loses is gone for sources of lower ranks as well. An
    /// instance that another source loses may still be seen by the others.
    var hearsGoodbyes: Bool { isAuthority && capabilities.contains(.hearsGoodbyes) }

    /// Indicates whether it reports the address family by which an instance was seen. If it does not, its path
    /// represents both.
    var reportsFamilies: Bool { capabilities.contains(.reportsFamilies) }
}

/// A report of a source.
enum SourceReport: Sendable {
    /// Events for the browser, as far as this source's reports count.
    case events([BrowseEvent])

    /// Services that other sources have resolved, and for which programs on this host have answered.
    case ownHost([Sighting])
}

/// An update by which a merge tells companions about the other sources.
struct CompanionUpdate: Hashable, Sendable {
    /// The instances that others have resolved, and that a companion need not follow any more, each with its path.
    var confirmed: [InstancePath] = []

    /// The instances that the others no longer see, each with its path.
    var gone: [InstancePath] = []

    /// The services that others have resolved without knowing whether they are this host's own.
    var resolved: [Sighting] = []

    /// Indicates whether the others have lost packets.
    var hasLost = false

    /// Indicates whether the browse's status or activity has been reported, changed or not.
    var isStatusNew = false

    /// Indicates whether the source that decides the browse's status works.
    var isRunning = true

    /// Indicates whether any of the others is about to report more.
    var isBusy = false

    /// Indicates whether there is nothing to report.
    var isEmpty: Bool { confirmed.isEmpty && gone.isEmpty && resolved.isEmpty && !hasLost && !isStatusNew }
}

/// One instance on one path.
struct InstancePath: Hashable, Sendable {
    let instance: ServiceInstance
    let path: ServicePath
}

/// The ranks of the sources of this package.
enum SourceRank {
    /// The system's daemon: one mDNS stack per host is the polite and the reliable way.
    static let daemon = 30

    /// Our own engine.
    static let engine = 20

    /// The one-shot query.
    static let oneShot = 10

    /// Unicast DNS, which sees services of its own.
    static let zone = 5
}
