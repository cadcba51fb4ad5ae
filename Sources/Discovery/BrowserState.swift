internal import DNSSD

/// Everything that a ``Browser`` holds. A value: no clock, no I/O.
struct BrowserState {
    /// Who waits for a change.
    typealias Waker = CheckedContinuation<Void, Never>

    /// What a reader gets when it asks.
    enum Taken {
        case change(ServiceChange)
        case empty
        case finished
    }

    /// How far a browse has come.
    enum Progress: Hashable {
        case settled
        case unavailable(BackendError)
        case waiting(until: ContinuousClock.Instant)
    }

    private struct Reader {
        var queue = ChangeQueue()
        var waker: Waker?
    }

    private enum Run {
        case notStarted
        case running
        case ended
    }

    private var run = Run.notStarted
    private var lastReader = 0
    private var readers: [ReaderID: Reader] = [:]
    private(set) var table = ServiceTable()
    private(set) var status = BackendStatus.starting
    private(set) var warnings: [BackendWarning] = []

    /// When something new last came.
    private var lastNews: ContinuousClock.Instant?

    /// Since when the backend has not been running.
    private var downSince: ContinuousClock.Instant?

    // MARK: Running

    /// Begins to run; `false` when it runs already.
    mutating func begin() -> Bool {
        switch run {
        case .running: return false
        case .notStarted, .ended: break
        }
        run = .running
        status = .starting
        table = ServiceTable()
        lastNews = nil
        downSince = nil
        return true
    }

    /// Has ended to run.
    mutating func end() -> [Waker] {
        run = .ended
        return wakeAll()
    }

    /// Takes in what the backend tells.
    ///
    /// - Returns: Who is to be resumed.
    mutating func apply(_ events: [BrowseEvent], now: ContinuousClock.Instant) -> [Waker] {
        var isNews = false
        var isChanged = false
        for event in events {
            switch event {
            case .status(let status):
                self.status = status
                if case .unavailable = status {
                    if downSince == nil { downSince = now }
                } else {
                    downSince = nil
                }
            case .warning(let warning):
                warnings.append(warning)
            case .sighted, .vanished:
                isNews = true
            }
            guard let change = table.apply(event) else { continue }
            isChanged = true
            for id in readers.keys { readers[id]?.queue.append(change) }
        }
        if isNews { lastNews = now }
        return isChanged ? wakeAll() : []
    }

    /// How far the browse has come.
    func progress(quiet: Duration, patience: Duration?, now: ContinuousClock.Instant) -> Progress {
        if case .unavailable(let error) = status, let downSince, let patience {
            guard now < downSince + patience else { return .unavailable(error) }
            return .waiting(until: downSince + patience)
        }
        guard let lastNews, status == .running, table.unsettled == 0 else {
            return .waiting(until: now + .milliseconds(50))
        }
        return now < lastNews + quiet ? .waiting(until: lastNews + quiet) : .settled
    }

    // MARK: Readers

    mutating func addReader() -> ReaderID {
        lastReader += 1
        let id = ReaderID(rawValue: lastReader)
        var reader = Reader()
        for service in table.announcedServices { reader.queue.append(.found(service)) }
        readers[id] = reader
        return id
    }

    mutating func removeReader(_ id: ReaderID) -> Waker? {
        readers.removeValue(forKey: id)?.waker
    }

    mutating func take(for id: ReaderID) -> Taken {
        guard readers[id] != nil else { return .finished }
        if let change = readers[id]?.queue.next() { return .change(change) }
        switch run {
        case .notStarted, .running: return .empty
        case .ended: return .finished
        }
    }

    /// Lets a reader wait.
    ///
    /// - Returns: Whether there is something for it already, so that it must not wait.
    mutating func wait(_ waker: Waker, for id: ReaderID) -> Bool {
        guard let reader = readers[id], reader.queue.isEmpty else { return true }
        switch run {
        case .notStarted, .running: break
        case .ended: return true
        }
        readers[id]?.waker = waker
        return false
    }

    /// How many wait for a change.
    var waitingReaders: Int { readers.values.count { $0.waker != nil } }

    private mutating func wakeAll() -> [Waker] {
        var wakers: [Waker] = []
        for id in readers.keys {
            guard let waker = readers[id]?.waker else { continue }
            readers[id]?.waker = nil
            wakers.append(waker)
        }
        return wakers
    }
}
