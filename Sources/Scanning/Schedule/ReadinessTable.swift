internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import HeapModule

/// The OpenClaw gateways that are asked whether they can do their work, and when. A value.
struct ReadinessTable {
    /// The minimum time between two questions to one gateway, whatever happens meanwhile.
    static let pause = Duration.seconds(5)

    /// The interval at which one is asked that is not ready: its return should be known soon.
    static let notReadyInterval = Duration.seconds(15)

    /// The number of questions without an answer after which its readiness is not known any more. Whether it answers at
    /// all is decided by its liveness.
    private static let mostMisses = 2

    /// A gateway that is asked.
    private struct Known {
        var path: GatewayProbePath
        var connecting: Duration?

        /// The question that waits for its turn or runs, and the turn of the next one.
        var job: Int?
        var isRunning = false
        var turn = 0

        /// The time of the last question, and the number of those without an answer since the last one that had one.
        var asked: ContinuousClock.Instant?
        var misses = 0

        /// Indicates whether it has said anything that still counts, and that it is not ready.
        var hasSaid = false
        var isNotReady = false
    }

    /// The time of a question; of an endpoint's turns, only the latest counts.
    private struct Turn: Comparable {
        let time: ContinuousClock.Instant
        let number: Int
        let endpoint: Endpoint

        static func < (left: Turn, right: Turn) -> Bool { (left.time, left.number) < (right.time, right.number) }
    }

    private var known: [Endpoint: Known] = [:]

    /// The times of the last questions to endpoints that are asked no more: one that comes back at once must not be asked at
    /// once.
    private var rested: [Endpoint: ContinuousClock.Instant] = [:]
    private var schedule = Heap<Turn>()
    private var lastTurn = 0

    /// The questions that run, with their places in the budget.
    private var running: [Int: ProbeBudget.Entry] = [:]

    /// The number of questions that run.
    var runningCount: Int { running.count }

    /// Indicates whether an endpoint is asked.
    func contains(_ endpoint: Endpoint) -> Bool { known[endpoint] != nil }

    /// The time at which one is to be asked next; `nil` if none is.
    var next: ContinuousClock.Instant? { schedule.min?.time }

    /// Takes in that a gateway has answered on a path. One that is new there, or of which there is news, is asked soon.
    mutating func note(
        _ path: GatewayProbePath,
        connecting: Duration?,
        isNews: Bool,
        now: ContinuousClock.Instant
    ) {
        var item = known[path.endpoint] ?? begin(path, now: now)
        let isAnother = known[path.endpoint]?.path != path
        item.path = path
        if let connecting { item.connecting = connecting }
        known[path.endpoint] = item
        if isAnother || isNews, item.job == nil { ask(path.endpoint, at: now) }
    }

    /// Returns a gateway that is new, or was asked before and forgotten.
    private mutating func begin(_ path: GatewayProbePath, now: ContinuousClock.Instant) -> Known {
        rested = rested.filter { now - $0.value < Self.pause }
        var item = Known(path: path)
        item.asked = rested.removeValue(forKey: path.endpoint)
        return item
    }

    /// Sets the time of the next question, which takes the place of any other.
    private mutating func ask(_ endpoint: Endpoint, at time: ContinuousClock.Instant) {
        guard var item = known[endpoint] else { return }
        lastTurn += 1
        item.turn = lastTurn
        known[endpoint] = item
        let earliest = item.asked.map { max(time, $0 + Self.pause) } ?? time
        schedule.insert(Turn(time: earliest, number: lastTurn, endpoint: endpoint))
    }

    /// Removes and returns an endpoint whose time has come; `nil` if there is none.
    mutating func takeDue(_ now: ContinuousClock.Instant) -> Endpoint? {
        while let turn = schedule.min, turn.time <= now {
            schedule.removeMin()
            if known[turn.endpoint]?.turn == turn.number, known[turn.endpoint]?.job == nil { return turn.endpoint }
        }
        return nil
    }

    /// Records that a question waits for its turn in the budget.
    mutating func wait(_ endpoint: Endpoint, job: Int) { known[endpoint]?.job = job }

    /// Indicates whether a question waits for its turn.
    func isWaiting(_ endpoint: Endpoint, job: Int) -> Bool {
        known[endpoint].map { $0.job == job && !$0.isRunning } ?? false
    }

    /// Begins a question.
    mutating func begin(_ entry: ProbeBudget.Entry, now: ContinuousClock.Instant) -> ReadinessJob? {
        guard let item = known[entry.endpoint] else { return nil }
        known[entry.endpoint]?.isRunning = true
        known[entry.endpoint]?.asked = now
        running[entry.job] = entry
        return ReadinessJob(id: entry.job, path: item.path, connecting: item.connecting)
    }

    /// The consequences of the end of a question.
    struct End {
        let entry: ProbeBudget.Entry

        /// The readiness to report, if anything is.
        var news: Readiness??
    }

    /// Ends a question; `nil` if it was not running.
    ///
    /// - Parameter interval: The time until the next one; `nil` for none.
    mutating func end(
        _ job: ReadinessJob,
        _ result: ReadinessCheck.Result,
        interval: Duration?,
        now: ContinuousClock.Instant
    ) -> End? {
        guard let entry = running.removeValue(forKey: job.id) else { return nil }
        var end = End(entry: entry)
        // Another gateway may have come to the endpoint meanwhile.
        guard var item = known[job.endpoint], item.job == job.id else { return end }
        item.job = nil
        item.isRunning = false
        guard item.path == job.path else {
            known[job.endpoint] = item
            ask(job.endpoint, at: now)
            return end
        }
        switch result {
        case .said(let readiness):
            item.misses = 0
            item.hasSaid = true
            item.isNotReady = !readiness.isReady
            end.news = .some(readiness)
        case .unsaid: item.misses = 0
        case .silent: item.misses += 1
        }
        if result == .unsaid || item.misses >= Self.mostMisses {
            if item.hasSaid { end.news = .some(nil) }
            item.hasSaid = false
            item.isNotReady = false
        }
        known[job.endpoint] = item
        guard let interval else { return end }
        let isSoon = item.isNotReady || item.misses == 1
        ask(job.endpoint, at: now + (isSoon ? min(Self.notReadyInterval, interval) : interval))
        return end
    }

    /// Stops asking an endpoint.
    ///
    /// - Returns: Whether a question waited for its turn, and whether the last report was that it is not ready.
    mutating func forget(_ endpoint: Endpoint) -> (wasWaiting: Bool, wasNotReady: Bool) {
        guard let item = known.removeValue(forKey: endpoint) else { return (false, false) }
        rested[endpoint] = item.asked
        return (item.job != nil && !item.isRunning, item.isNotReady)
    }
}
