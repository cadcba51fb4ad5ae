internal import DNSSD

/// The answers of one path that were cut, and the questions for the instances that did not fit into them. A value: no
/// clock, no I/O.
struct CutAnswers {
    /// The largest number of times that a path is asked for more instances before the next check: somebody who invents
    /// a new instance in each answer does not cause questions without end.
    static let maximumQuestions = 8

    /// Indicates whether a host on this path cuts its answers: then each packet asks for only a few instances.
    var hasAny = false

    /// The names of the questions whose answers were cut and named new instances.
    private var names: Set<DomainName> = []

    /// The number of questions since the last check.
    private var count = 0

    /// The time at which the query asks for the other instances.
    private(set) var deadline: ContinuousClock.Instant?

    /// Records that a cut answer to the question for this name has named new instances: the query asks for the others
    /// at once.
    mutating func askForRest(of name: DomainName, now: ContinuousClock.Instant) {
        guard count < Self.maximumQuestions else { return }
        names.insert(name)
        deadline = now
    }

    /// Indicates whether the query has to ask for the others now. ``takeNames()`` returns the names to ask for.
    func takeQuestion(now: ContinuousClock.Instant) -> Bool { deadline.map { $0 <= now } ?? false }

    /// Returns the names whose other instances are to be asked for, each once, sorted.
    mutating func takeNames() -> [DomainName] {
        defer {
            names = []
            deadline = nil
        }
        return names.sorted()
    }

    /// Counts a question for the others.
    mutating func noteAsked() {
        count += 1
    }

    /// Records that a check has begun, after which the path may be asked as often again.
    mutating func beginCheck() {
        count = 0
    }
}
