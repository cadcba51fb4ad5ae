internal import DNSSD
internal import DequeModule

/// The gateway probes that run or wait for their turn. Which of those that wait is next is decided by the
/// ``ProbeBudget``.
struct ProbeJobs {
    private var last = 0
    private(set) var running: [Int: (job: ProbeJob, entry: ProbeBudget.Entry)] = [:]

    /// The waiting probes whose reason has not been reported: those that have just begun to wait, and the others,
    /// oldest first.
    private var arrived: [WaitingProbe] = []
    private(set) var unexplained: Deque<WaitingProbe> = []

    /// Returns the number of a new probe.
    mutating func nextNumber() -> Int {
        last += 1
        return last
    }

    /// Records that a probe has started.
    mutating func begin(_ job: ProbeJob, _ entry: ProbeBudget.Entry) { running[job.id] = (job, entry) }

    /// Records that a probe has ended, and returns it; `nil` if it was not running.
    mutating func end(_ id: Int) -> (job: ProbeJob, entry: ProbeBudget.Entry)? { running.removeValue(forKey: id) }

    /// Records that a probe of an endpoint that has not been asked waits from now on.
    mutating func wait(_ probe: WaitingProbe) { arrived.append(probe) }

    /// Returns the probes that have begun to wait since the last call.
    mutating func takeArrived() -> [WaitingProbe] {
        defer { arrived = [] }
        return arrived
    }

    /// Puts a probe last among those whose reason is still to be reported.
    mutating func explainLater(_ probe: WaitingProbe) { unexplained.append(probe) }

    /// Removes the first probe whose reason is still to be reported.
    mutating func takeUnexplained() { unexplained.removeFirst() }

    /// Has the probes whose reason is still to be reported examined again.
    mutating func lookAgain() {
        arrived = Array(unexplained) + arrived
        unexplained.removeAll()
    }
}

/// A probe that waits, and whose reason has not been reported.
struct WaitingProbe: Sendable {
    let since: ContinuousClock.Instant
    let endpoint: Endpoint
    let job: Int
}
