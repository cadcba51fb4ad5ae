internal import DNSSD

/// A multicast DNS querier: what is known about the services on one link over one address family, and what is to be
/// asked next (RFC 6762 §5, §7, §10). A value: no clock, no I/O.
///
/// Only records that belong to a browse are stored: PTR records of browsed names, SRV and TXT records of the instances
/// that they list, and addresses of the hosts that these lead to. Additional records in an answer are used, and only
/// missing records are asked for.
///
/// Its parts are in `Querier+….swift`; only they use its properties. After any other call, ``turn(now:using:)`` has to
/// be called, and returns what is to be done.
struct Querier {
    /// The sender of a message.
    struct Origin {
        /// The address of the sender, a link-local one with its scope.
        let address: IPAddress

        /// The source that the sender's instances and records are counted for.
        let source: PacketSource

        /// Indicates whether this process sent it.
        var isOwn = false

        /// Indicates whether this host sent it: this process or another.
        var isOfThisHost = false

        init(_ address: IPAddress) {
            self.address = address
            self.source = PacketSource(address)
        }
    }

    /// A task that is due at some time.
    enum Due {
        /// A question is to be asked.
        case question(RecordKey)

        /// A name is to be asked for in a packet of its own.
        case loneQuestion(DomainName)

        /// An instance has been incomplete for too long.
        case overdue(DomainName)

        /// A question of another host may have remained unanswered.
        case failureObservation(RecordKey)
    }

    /// The time to wait for the records that an instance needs before it is reported as not resolvable.
    static let resolutionTimeout = Duration.seconds(5)

    /// The interface and address family of the link.
    let path: ServicePath

    let limits: QuerierLimits

    /// The highest number of bytes that a packet may have.
    let payload: Int

    /// The time of the current call.
    var now: ContinuousClock.Instant

    var cache: RecordCache

    /// The names that are browsed for.
    var names: [DomainName: BrowsedName] = [:]

    /// The instances that the browsed names list.
    var instances = PackedTable<DomainName, ListedInstance>()

    /// The hosts that the instances lead to.
    var hosts: [DomainName: QuerierHost] = [:]

    /// The instances that may be given up, by the source that brought them.
    var ledger = SourceLedger<DomainName, PacketSource>()

    private(set) var kept = KeptInstances()

    /// The questions that are being asked: those for records until they are answered, those for browsed names as long
    /// as the browse lasts.
    var questions: [RecordKey: QuestionSchedule] = [:]

    /// The tasks ahead, each with the time at which it is due.
    var queue = DeadlineHeap<Due>()

    var inquiries: QuerierInquiries
    var refreshes: QuerierRefreshes
    var reviews = QuerierReviews()
    var reports = QuerierReports()
    var recovery = QuerierRecovery()

    /// The questions of other hosts that nobody has answered yet.
    var observations: [RecordKey: PassiveFailureObservation] = [:]

    var outbox: PacketOutbox

    /// The sender of the SRV record that was new last.
    var lastSender: [IPAddress] = []

    /// The addresses of the host that was reported last.
    var lastAddresses: [IPAddress] = []

    /// The time at which a new instance was last found.
    var lastFound: ContinuousClock.Instant?

    init(
        path: ServicePath,
        limits: QuerierLimits = QuerierLimits(),
        payload: Int = 1_452,
        now: ContinuousClock.Instant
    ) {
        self.path = path
        self.limits = limits
        self.payload = payload
        self.now = now
        self.cache = RecordCache(now: now)
        self.outbox = PacketOutbox(now: now)
        let bucket = TokenBucket(capacity: limits.questionBurst, perSecond: limits.questionsPerSecond, now: now)
        self.inquiries = QuerierInquiries(next: now, budget: bucket)
        self.refreshes = QuerierRefreshes(budget: bucket)
    }

    // MARK: Browses

    /// Begins a browse for service types, and reports the instances that are known already.
    ///
    /// - Throws: When the domain is not a valid domain name.
    mutating func browse(
        _ id: BrowseID,
        for types: [ServiceType],
        in domain: String,
        now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) throws(BackendError) {
        self.now = now
        // All types of one browse share their packets. The first question waits for 20 to 120 ms, so that hosts that
        // woke up together do not ask together (RFC 6762 §5.2). The one-shot query has its answers by then.
        let first = now + .milliseconds(Int.random(in: 20...120, using: &random))
        for type in types {
            for text in type.browseTypes {
                guard let name = try? DomainName(escaped: "\(text).\(domain)"),
                    let base = try? DomainName(escaped: "\(type.base).\(domain)")
                else { throw BackendError(.invalid, "\(text).\(domain) is too long for a domain name. Shorten it.") }
                let listed = BrowsedName(type: type.base, domain: domain, base: base, listing: [name])
                listen(id, to: name, listed, first: first)
            }
        }
    }

    private mutating func listen(
        _ id: BrowseID,
        to name: DomainName,
        _ listed: BrowsedName,
        first: ContinuousClock.Instant
    ) {
        let key = RecordKey(name, .ptr)
        if names[name] == nil {
            names[name] = listed
            questions[key] = QuestionSchedule(first: first)
            queue.insert(.question(key), at: first)
        }
        guard names[name]?.listeners.contains(id) == false else { return }
        names[name]?.listeners.append(id)
        names[name]?.listeners.sort()
        for record in cache[key] {
            if case .ptr(let instance) = record.data { reviews.instances.insert(instance) }
        }
    }

    /// Ends a browse, and forgets what no other browse needs.
    mutating func endBrowse(_ id: BrowseID, now: ContinuousClock.Instant) {
        self.now = now
        for name in names.keys.sorted() {
            names[name]?.listeners.removeAll { $0 == id }
            guard names[name]?.listeners.isEmpty == true else { continue }
            names[name] = nil
            let key = RecordKey(name, .ptr)
            questions[key] = nil
            let targets = cache[key].compactMap { record -> DomainName? in
                if case .ptr(let target) = record.data { target } else { nil }
            }
            cache.removeAll(for: key)
            for target in targets { unlist(target, from: name) }
        }
        // Nothing is reported: the caller has ended the browse itself.
        for name in instances.keys { instances[name]?.listeners.removeAll { $0 == id } }
    }

    /// The browsed names that have not been asked for yet.
    var unasked: [DomainName] { names.compactMap { $1.lastAsked == nil ? $0 : nil }.sorted() }

    /// Indicates whether nothing is browsed for.
    var isIdle: Bool { names.isEmpty }

    // MARK: Reports from outside

    /// Sets whether an instance is known to be alive by other means: while it is, it is not given up for lack of room.
    mutating func protect(_ instance: ServiceInstance, _ isProtected: Bool) {
        guard let name = try? DomainName(escaped: instance.fullName) else { return }
        if isProtected { kept.protected.insert(name) } else { kept.protected.remove(name) }
        enter(name)
    }

    /// Sets the instances that this process publishes.
    mutating func setOwn(_ names: Set<DomainName>) {
        let changed = names.symmetricDifference(kept.own)
        kept.own = names
        for name in changed.sorted() {
            reviews.instances.insert(name)
            enter(name)
        }
    }

    /// Enters an instance into the ledger if it may be given up for lack of room, and takes it out if not.
    mutating func enter(_ name: DomainName) {
        guard let entry = instances[name] else { return }
        if kept.contains(name) {
            ledger.remove(name)
        } else {
            ledger.insert(name, from: entry.source)
        }
    }

    /// Returns the number of times that an instance or a record was given up or not stored for lack of room, since the
    /// last call.
    mutating func takeLeftOut() -> Int {
        defer { reports.leftOut = 0 }
        return reports.leftOut
    }

    /// Returns the instances that have come and gone since the last call.
    mutating func takeTurnover() -> [InstanceTurnover] {
        defer { reports.turnover = [] }
        return reports.turnover
    }

    // MARK: The link

    /// The time until which more instances are expected, even if nothing has come lately.
    ///
    /// Answers that were lost come with the next question. Once a repetition of the first question has brought nothing
    /// new, nothing more is expected.
    var expectation: ContinuousClock.Instant? {
        let next = names.compactMap { name, listed -> ContinuousClock.Instant? in
            guard let question = questions[RecordKey(name, .ptr)] else { return nil }
            if question.count >= 2, listed.lastAsked.map({ $0 > lastFound ?? $0 - .seconds(1) }) == true { return nil }
            return question.next
        }
        // Answers are delayed by up to 120 ms, and by up to 500 ms where the known answers took several packets (RFC
        // 6762 §6, §7.2).
        let delay = Duration.milliseconds(instances.count < Self.manyInstances ? 200 : 700)
        return next.max().map { min($0, (lastFound ?? $0) + .seconds(8)) + delay }
    }

    /// The number of instances from which on the known answers may not fit into one packet.
    private static let manyInstances = 48

    /// Ends the querier because the link is gone, or the backend gives way to another one.
    ///
    /// - Returns: The loss of every instance that was reported.
    mutating func end(_ reason: LossReason) -> [QuerierEvent] {
        let gone = instances.sorted { $0.key < $1.key }
        let events = gone.compactMap { _, entry in
            entry.reported == nil ? nil : QuerierEvent.vanished(entry.instance, path, reason, entry.listeners)
        }
        reports.turnover += gone.map { .went($0.key) }
        instances = PackedTable()
        return events
    }

    mutating func warn(_ warning: BackendWarning) {
        guard reports.warned.insert(warning.code).inserted else { return }
        reports.events.append(.warning(warning))
    }
}
