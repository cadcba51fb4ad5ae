/// The queues of a run of the sessions: tasks, tasks that wait for a time, and reports to the map, each in order. A
/// value.
struct RunQueues {
    typealias Job = @Sendable () async -> Void

    /// The streams from which a run takes what it is to do.
    struct Streams {
        let jobs: AsyncStream<Job>
        let alarms: AsyncStream<Job>
        let reports: AsyncStream<MapReport>
    }

    private var jobs: AsyncStream<Job>.Continuation?

    /// The queue of tasks that wait for a time. They have a task group of their own, since a group takes long to find
    /// an ended task among many.
    private var alarms: AsyncStream<Job>.Continuation?

    private var reports: AsyncStream<MapReport>.Continuation?

    /// The reports that came when the run was ending already.
    private(set) var lateReports: [MapReport] = []

    /// Those who wait until a task was run.
    private var passes: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastPass = 0

    /// Indicates whether the run has ended.
    private(set) var hasEnded = false

    init() {}

    /// Indicates whether the run goes on.
    var isOpen: Bool { jobs != nil }

    /// Begins a run.
    mutating func begin() -> Streams {
        let (jobs, forJobs) = AsyncStream.makeStream(of: Job.self)
        let (alarms, forAlarms) = AsyncStream.makeStream(of: Job.self)
        let (reports, forReports) = AsyncStream.makeStream(of: MapReport.self)
        (self.jobs, self.alarms, self.reports) = (forJobs, forAlarms, forReports)
        return Streams(jobs: jobs, alarms: alarms, reports: reports)
    }

    /// Has a task run.
    func run(_ job: @escaping Job) { jobs?.yield(job) }

    /// Has a task run that begins by waiting for a time.
    func runLater(_ job: @escaping Job) { alarms?.yield(job) }

    /// Has the map told.
    mutating func tell(_ report: MapReport) {
        // Nobody takes them from the queue any more once the run is cancelled.
        if case .terminated? = reports?.yield(report) { lateReports.append(report) }
    }

    /// Begins to wait until a task was run that is begun now.
    ///
    /// - Returns: The number of who waits, and a sequence that ends then; `nil` while nothing is run.
    mutating func beginPass() -> (number: Int, end: AsyncStream<Void>)? {
        guard let jobs else { return nil }
        let (end, pass) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        lastPass += 1
        passes[lastPass] = pass
        jobs.yield { pass.finish() }
        return (lastPass, end)
    }

    /// Ends to wait.
    mutating func endPass(_ number: Int) { passes[number] = nil }

    /// Closes the queues, since the run is over.
    mutating func close() {
        jobs?.finish()
        alarms?.finish()
        reports?.finish()
        (jobs, alarms, reports) = (nil, nil, nil)
        for pass in passes.values { pass.finish() }
    }

    /// Records that the run has ended.
    mutating func end() { hasEnded = true }
}
