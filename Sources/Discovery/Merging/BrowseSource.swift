internal import DNSSD

/// A source of sightings that takes part in a browse beside others: a backend, the one-shot query, a DNS server.
///
/// A ``BrowseMerge`` folds what all of them report into one picture.
protocol BrowseSource: Sendable {
    /// The part that it plays beside the others.
    var traits: SourceTraits { get }

    /// Makes a session for one browse; for each time that a standby is needed, another one. It may take what it needs of the
    /// system, such as a thread, and reports nothing before ``SourceSession/prepare()``.
    ///
    /// - Parameter report: Receives what the source sees, on any thread, one report after the other.
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
    /// Does what has to be done before any other source of the browse works. Always followed by ``run()``.
    func prepare() async

    /// Works until the task is cancelled. Nothing is reported after this has returned. Called once.
    func run() async

    /// Receives what has become of the reports of other sources. Called on any thread; returns at once.
    func othersReported(_ news: OthersNews)
}

extension SourceSession {
    func prepare() async {}

    func othersReported(_ news: OthersNews) {}
}

/// The part that a source plays beside others, and what it can tell.
struct SourceTraits: Hashable, Sendable {
    /// A part in a browse.
    enum Role: Hashable, Sendable {
        /// Works all the time; the status of the one with the highest rank is that of the browse.
        case primary

        /// Works while no primary source has a daemon; the status of the browse is that of the standby with the highest rank
        /// then.
        case standby

        /// Works all the time beside the others, and gives way to them: what one of them has resolved it need not follow any
        /// more. Its status says nothing of the browse.
        case companion
    }

    /// The name under which its sightings are shown.
    var name: SightingSource

    var role: Role

    /// The rank among several that see the same: the highest one's word counts.
    var rank: Int

    /// The capabilities of its backend; those of companions do not count.
    var capabilities: BackendCapabilities

    /// Indicates whether it hears goodbyes: what it loses is gone for sources of lower ranks as well. What another source loses,
    /// only that one does not see any more.
    var hearsGoodbyes: Bool

    /// - Parameter hearsGoodbyes: See ``hearsGoodbyes``; by default what its capabilities say, and not for a companion.
    init(
        name: SightingSource,
        role: Role,
        rank: Int,
        capabilities: BackendCapabilities = .all,
        hearsGoodbyes: Bool? = nil
    ) {
        self.name = name
        self.role = role
        self.rank = rank
        self.capabilities = capabilities
        self.hearsGoodbyes = hearsGoodbyes ?? (role != .companion && capabilities.contains(.hearsGoodbyes))
    }

    /// Indicates whether it tells by which family an instance was seen. Where it does not, its path stands for both.
    var reportsFamilies: Bool { capabilities.contains(.reportsFamilies) }
}

/// A report of a source.
enum SourceReport: Sendable {
    /// Events for the browser, as far as this source's word counts.
    case events([BrowseEvent])

    /// Programs of this host have answered for these, which other sources have resolved.
    case ownHost([Sighting])
}

/// The news of a merge for companions.
struct OthersNews: Hashable, Sendable {
    /// The instances that others have resolved, and that a companion need not follow any more, each with its path.
    var confirmed: [InstancePath] = []

    /// The instances that the others no longer see, each with its path.
    var gone: [InstancePath] = []

    /// The services that others have resolved, and do not know to be this host's own.
    var resolved: [Sighting] = []

    /// Indicates whether the others have lost packets.
    var hasLost = false

    /// Indicates whether the browse's status or activity has been reported, changed or not.
    var isStatusNew = false

    /// Indicates whether the source that decides the browse's status works.
    var isRunning = true

    /// Indicates whether any of the others is about to report more.
    var isBusy = false

    /// Indicates whether there is nothing to tell.
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
}
