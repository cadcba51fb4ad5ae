internal import DNSSD

/// The state of a ``Browser``. A value, without clock or I/O.
struct BrowserState {
    /// The answer to a reader that asks for its next change.
    enum Taken {
        case change(ServiceChange)
        /// Nothing yet: the signal is raised when there is more.
        case empty(ReaderSignal)
        case finished
    }

    /// The progress of a browse towards being settled.
    enum Progress: Hashable {
        case settled
        case unavailable(BackendError)
        /// Settled at that time at the earliest, if nothing new comes; `nil` while something else has to come first.
        case waiting(until: ContinuousClock.Instant?)
    }

    /// A reader of the changes.
    struct Reader {
        fileprivate(set) var queue = ChangeQueue()
        fileprivate let signal = ReaderSignal()
    }

    /// Indicates whether there will be no more changes.
    private var hasEnded = false
    private var lastReader = 0
    private(set) var readers: [ReaderID: Reader] = [:]

    /// The calls that wait until the browse has settled. Every event wakes them, and ``progress`` decides what it means
    /// to them.
    private(set) var settlers: [ReaderID: ReaderSignal] = [:]

    private(set) var table: ServiceTable
    private(set) var condition = BrowserCondition(status: .starting, warnings: [])

    /// The changes reported since it was last taken.
    private var tally = ServiceTally()

    /// The losses that the backend reported, not including those of the table.
    private var lossesBefore = BackendLosses()

    /// The activity that the backend last reported: whether it is about to report more.
    private var activity = BackendActivity.idle

    /// The generator that chooses at random among hosts that have equally many services.
    private var random = SystemRandomNumberGenerator()

    private let maximumServices: Int

    /// The time at which the backend last had the answers to all its queries.
    private var lastAnswer: ContinuousClock.Instant?

    /// The time at which something new last came: a sighting, or the end of one.
    private var lastNews: ContinuousClock.Instant?

    /// The time since which the backend has been unavailable; `nil` while it is not.
    private var downSince: ContinuousClock.Instant?

    /// - Parameter maximumServices: The maximum number of services that are kept.
    init(maximumServices: Int = .max) {
        self.maximumServices = maximumServices
        self.table = ServiceTable(maximum: maximumServices)
    }

    // MARK: Running

    /// Ends the run, and returns the signals to raise.
    mutating func end() -> [ReaderSignal] {
        hasEnded = true
        return readers.values.map(\.signal)
    }

    /// Takes in the events of the backend.
    ///
    /// - Returns: The signals to raise.
    mutating func apply(_ events: [BrowseEvent], now: ContinuousClock.Instant) -> [ReaderSignal] {
        var isNews = false
        var isChanged = false
        let leftOut = table.leftOut
        defer { tally.evicted += table.leftOut - leftOut }
        for event in events {
            if case .sighted(let sighting) = event {
                switch table.admit(sighting, using: &random) {
                case .admitted: break
                case .inPlaceOf(let loss):
                    warnOfFullTable()
                    if let loss {
                        isChanged = true
                        report(loss)
                    }
                case .refused:
                    warnOfFullTable()
                    continue
                }
            }
            switch event {
            case .status(let status):
                condition.status = status
                if case .unavailable = status {
                    if downSince == nil { downSince = now }
                } else {
                    downSince = nil
                }
            case .activity(let activity):
                if self.activity == .busy { lastAnswer = now }
                self.activity = activity
            case .warning(let warning):
                warn(warning)
            case .domain(let domain, let status):
                // There may be hundreds: only one that has been in trouble is worth a word.
                if case .unavailable = status { condition.domains[domain] = status }
                if condition.domains[domain] != nil { condition.domains[domain] = status }
            case .losses(let more):
                lossesBefore = lossesBefore + more
            case .sighted, .vanished:
                isNews = true
            }
            guard let change = table.apply(event) else { continue }
            isChanged = true
            report(change)
        }
        if isNews { lastNews = now }
        return (isChanged ? readers.values.map(\.signal) : []) + settlers.values
    }

    private mutating func report(_ change: ServiceChange) {
        tally.note(change)
        // An array, since the keys themselves retain the readers: each queue would be copied for each change.
        for id in Array(readers.keys) { readers[id]?.queue.append(change) }
    }

    private mutating func warnOfFullTable() {
        warn(
            BackendWarning(
                .tooManyInstances,
                """
                More than \(maximumServices) services: those are left out that came last from whoever has most. Look for who \
                publishes so many, browse for fewer types, or allow more.
                """
            )
        )
    }

    /// Records a warning. All sources with a limit reach it at the same time, which is reported only once.
    private mutating func warn(_ warning: BackendWarning) {
        let isOfAll = [.tooManyInstances, .tooManyRecords, .packetsLost].contains(warning.code)
        let isKnown = condition.warnings.contains { $0.code == warning.code && (isOfAll || $0 == warning) }
        if !isKnown { condition.warnings.append(warning) }
    }

    /// Returns the changes reported since the last call.
    mutating func takeTally() -> ServiceTally {
        defer { tally = ServiceTally() }
        return tally
    }

    /// The losses so far.
    var losses: BackendLosses { lossesBefore + BackendLosses(entries: table.leftOut) }

    /// Records whether an instance is known to be alive by other means.
    mutating func protect(_ instance: ServiceInstance, _ isProtected: Bool) {
        table.protect(instance, isProtected)
    }

    /// Returns how far the browse has come towards being settled.
    func progress(quiet: Duration, availabilityTimeout: Duration?, now: ContinuousClock.Instant) -> Progress {
        // A daemon that is present but does not answer may only be busy: on a large network it is, for seconds.
        if case .unavailable(let error) = condition.status, error.code != .daemonNotAnswering, let downSince,
            let availabilityTimeout
        {
            guard now < downSince + availabilityTimeout else { return .unavailable(error) }
            return .waiting(until: downSince + availabilityTimeout)
        }
        guard let lastNews, condition.status == .running, table.unsettled == 0 else {
            return .waiting(until: nil)
        }
        switch activity {
        case .busy: return .waiting(until: nil)
        case .expecting(until: let time) where now < time: return .waiting(until: time)
        case .expecting, .idle: break
        }
        // A daemon that has no time to answer does not mean that the network is quiet.
        let end = max(lastNews, lastAnswer ?? lastNews) + quiet
        return now < end ? .waiting(until: end) : .settled
    }

    // MARK: Readers

    mutating func addReader() -> ReaderID {
        let id = nextID()
        var reader = Reader()
        for service in table.announcedServices { reader.queue.append(.found(service)) }
        readers[id] = reader
        return id
    }

    /// Removes a reader, and returns the signal to end.
    mutating func removeReader(_ id: ReaderID) -> ReaderSignal? {
        readers.removeValue(forKey: id)?.signal
    }

    mutating func take(for id: ReaderID) -> Taken {
        guard let signal = readers[id]?.signal else { return .finished }
        if let change = readers[id]?.queue.next() { return .change(change) }
        // Once it has ended, the signal stays raised, for another copy of the iterator that is about to wait.
        if hasEnded { return .finished }
        // Only now: another copy of the iterator may wait for what is left.
        signal.lower()
        return .empty(signal)
    }

    /// The number of calls that wait for a change.
    var waitingReaders: Int { readers.values.reduce(0) { $0 + $1.signal.waiting } }

    mutating func addSettler(_ signal: ReaderSignal) -> ReaderID {
        let id = nextID()
        settlers[id] = signal
        return id
    }

    mutating func removeSettler(_ id: ReaderID) { settlers[id] = nil }

    private mutating func nextID() -> ReaderID {
        lastReader += 1
        return ReaderID(rawValue: lastReader)
    }
}

/// The number of a reader of a browser's changes, or of a call that waits until it has settled; never used twice.
struct ReaderID: Hashable, Sendable {
    let rawValue: Int
}
