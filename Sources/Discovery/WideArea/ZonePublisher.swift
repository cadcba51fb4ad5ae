internal import DNSSD

/// Decides how services get into a zone, stay there, and leave it: a value, which says one step at a time, and is told how
/// each went.
///
/// Rules:
/// * an update names what it expects, and the server makes it completely or not at all: nobody's records are overwritten;
/// * a name that others have is not taken: the next one is tried, and told;
/// * what this publisher, or one with the same owner before a crash, has left is recognized by its lease, and replaced;
/// * leases are renewed by themselves, without a change of what others read; those that are over are removed, whoever's
///   they are, if they are still the same;
/// * many services share an update, and one step is under way at a time.
struct ZonePublisher: Sendable {
    /// The time for which a lease counts, in seconds.
    static let leaseTime: UInt64 = 1_800

    /// The time from one renewal to the next, and from one look for leases that are over to the next.
    static let interval = Duration.seconds(600)

    /// The maximum number of services in one update, and of bytes, of which a message has at most 65,535.
    static let mostServices = 250
    static let mostBytes = 60_000

    /// The maximum number of services that are looked up in one step.
    static let mostLooks = 200

    /// The number of times in a row that records may turn out to be others than those found just before.
    static let mostSurprises = 5

    /// A service, and what the zone has of it.
    struct Entry {
        /// The service; `nil` if it is to be removed.
        var wanted: ZoneService?

        /// The name that it has, or gets next.
        var name: String

        /// The records that it is to have; `nil` if they are not possible.
        var records: ZoneRecords?

        /// The records that were added; `nil` if what the zone has may be something else.
        var placed: ZoneRecords?

        /// The leases that the zone has at its instances, by their names: of this owner, or over.
        var leases: [DomainName: DNSRecord] = [:]

        /// Indicates whether the zone has something else than was thought.
        var mustLook = false

        var renewal: ContinuousClock.Instant?
        var pause: ContinuousClock.Instant?
        var conflicts = ConflictPacing()
        var reported: PublicationState?
    }

    /// The part that a service has in an update.
    struct Piece {
        let id: Int
        let name: String
        var update = ZoneUpdate()

        /// The records of the service afterwards; `nil` if there are none.
        var placed: ZoneRecords?
        var leases: [DNSRecord] = []

        /// The hosts whose addresses are replaced.
        var hosts: Set<String> = []
    }

    enum Flight {
        case pieces([Piece])
        case looks([(id: Int, instances: [DomainName])])
        case tidying(DomainName)
        case sweep
        case emptiness
        case pointer
    }

    /// The state of the pointer in the domain above.
    enum Pointing: Hashable {
        case absent
        case present

        /// Nobody has a service in the domain any more.
        case superfluous
    }

    let names: ZoneNames
    let owner: String

    /// The record by which browsers of the domain above find this one, if there is to be one.
    let pointer: DNSRecord?
    var pointing = Pointing.absent
    var pointerRetry: ContinuousClock.Instant?

    /// The reason why the domain above has no pointer to this one.
    var pointerProblem: BackendError?

    /// Returns a problem as users are told it.
    let describe: @Sendable (UpdateProblem) -> BackendError

    var entries: [Int: Entry] = [:]

    /// The services by their instances: two of one publisher must not take one name, which their leases would not tell apart.
    private var holders: [DomainName: Int] = [:]
    var flight: Flight?
    var retry: ContinuousClock.Instant?
    var failures = 0
    var surprises = 0
    var most = mostServices

    /// The types that may be listed without having instances.
    var emptied: Set<DomainName> = []
    var sweep = LeaseSweep()

    /// The news of services that are to be told, in order.
    private var reports: [(id: Int, state: PublicationState)] = []

    /// - Parameters:
    ///   - names: The domain.
    ///   - owner: The publisher: the same after a crash, and no other's.
    ///   - isPointed: Whether the domain above gets a pointer to this one.
    init(
        _ names: ZoneNames,
        owner: String,
        isPointed: Bool = false,
        describe: @escaping @Sendable (UpdateProblem) -> BackendError
    ) {
        self.names = names
        self.owner = owner
        self.pointer = isPointed ? try? ZoneNames.pointer(to: names.domain) : nil
        self.describe = describe
    }

    /// Indicates whether nothing is published, and nothing has to be removed any more.
    var isIdle: Bool { entries.isEmpty && emptied.isEmpty && pointing == .absent && flight == nil }

    /// Takes what is to be told of services.
    mutating func takeReports() -> [(id: Int, state: PublicationState)] {
        defer { reports = [] }
        return reports
    }

    // MARK: Wishes

    /// Takes a service that is to be published, or is to be published differently.
    mutating func publish(_ service: ZoneService, as id: Int) {
        var entry = entries[id] ?? Entry(wanted: service, name: service.name)
        if entry.wanted?.name != service.name { entry.name = service.name }
        entry.wanted = service
        entries[id] = entry
        compose(id)
        if entry.reported == nil { report(id, .publishing(waitingFor: nil)) }
    }

    /// Takes a service that is to be removed.
    mutating func withdraw(_ id: Int) {
        entries[id]?.wanted = nil
        entries[id]?.pause = nil
        // There may be nobody to wait for who stays longer.
        retry = nil
        dropIfGone(id)
    }

    /// Makes the records of a service under its name, or under the next that no other service of this publisher has.
    mutating func compose(_ id: Int) {
        guard var entry = entries[id], let wanted = entry.wanted else { return }
        releaseNames(of: id)
        let first = entry.name
        do throws(DNSSDError) {
            var records = try ZoneRecords(wanted, named: entry.name, in: names, owner: owner)
            while records.instances.contains(where: { holders[$0.name] != nil }) {
                entry.name = AlternativeName.next(after: entry.name)
                records = try ZoneRecords(wanted, named: entry.name, in: names, owner: owner)
            }
            _ = try records.leases(of: owner, until: 0)
            for instance in records.instances { holders[instance.name] = id }
            entry.records = records
            entries[id] = entry
            if entry.name != first { report(id, .renamed(from: first, to: entry.name)) }
        } catch {
            entry.records = nil
            entries[id] = entry
            report(id, .failed(BackendError(.invalid, "in \(DisplayText(names.domain.escaped)), \(error)")))
        }
    }

    private mutating func releaseNames(of id: Int) {
        for instance in entries[id]?.records?.instances ?? [] where holders[instance.name] == id {
            holders[instance.name] = nil
        }
    }

    /// Forgets a service that is not wanted, if the zone has nothing of it that is known.
    mutating func dropIfGone(_ id: Int) {
        guard let entry = entries[id], entry.wanted == nil, !entry.mustLook, entry.leases.isEmpty, !isUnderWay(id)
        else {
            return
        }
        report(id, .withdrawn)
        releaseNames(of: id)
        entries[id] = nil
    }

    private func isUnderWay(_ id: Int) -> Bool {
        switch flight {
        case .pieces(let pieces): pieces.contains { $0.id == id }
        case .looks(let looks): looks.contains { $0.id == id }
        default: false
        }
    }

    mutating func report(_ id: Int, _ state: PublicationState) {
        guard entries[id]?.reported != state else { return }
        entries[id]?.reported = state
        reports.append((id, state))
    }
}
