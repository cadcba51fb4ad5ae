internal import DequeModule

/// The probes that wait for their turn: those that ask what a target is first, further addresses of what has answered last.
struct ProbeQueue {
    private var urgent: Deque<ProbeJob> = []
    private var patient: Deque<ProbeJob> = []

    var count: Int { urgent.count + patient.count }

    mutating func append(_ job: ProbeJob) {
        if job.reason == .otherAddress { patient.append(job) } else { urgent.append(job) }
    }

    /// Takes the next one.
    mutating func popFirst() -> ProbeJob? { urgent.popFirst() ?? patient.popFirst() }

    /// Puts one back that was taken just now.
    mutating func putBack(_ job: ProbeJob) {
        if job.reason == .otherAddress { patient.prepend(job) } else { urgent.prepend(job) }
    }
}
