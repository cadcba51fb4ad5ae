internal import DNSSD

/// The answers of one path that were cut, and the questions for what found no room in them. A value: no clock, no I/O.
struct CutAnswers {
    /// The largest number of times that a path is asked like that before the next check: whoever invents an instance
    /// each time is not answered for ever.
    static let maximumQuestions = 8

    /// Indicates whether a host here cuts its answers: then little is asked for at a time.
    var hasAny = false

    /// The names that were asked for where a cut answer has named new instances.
    private var names: Set<DomainName> = []

    /// The number of questions since the last check.
    private var count = 0

    /// The time at which the other instances are asked for.
    private(set) var deadline: ContinuousClock.Instant?

    /// Notes that a cut answer to the question for this name has named new instances: the others are asked for at once.
    mutating func askForRest(of name: DomainName, now: ContinuousClock.Instant) {
        guard count < Self.maximumQuestions else { return }
        names.insert(name)
        deadline = now
    }

    /// Indicates whether the others are to be asked for now. ``takeNames()`` says which.
    func takeQuestion(now: ContinuousClock.Instant) -> Bool { deadline.map { $0 <= now } ?? false }

    /// The names whose other instances are to be asked for; each is taken once.
    mutating func takeNames() -> Set<DomainName> {
        defer {
            names = []
            deadline = nil
        }
        return names
    }

    /// Notes that they were asked for.
    mutating func noteAsked() {
        count += 1
    }

    /// Notes that a check has begun, so that it may be asked as often again.
    mutating func beginCheck() {
        count = 0
    }
}
