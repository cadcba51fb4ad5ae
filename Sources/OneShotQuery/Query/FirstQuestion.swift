/// The question for the instances as it is first asked on a path, and its repetitions against loss. A value: no clock,
/// no I/O.
struct FirstQuestion {
    private enum Phase {
        case repeating(at: ContinuousClock.Instant)
        case over
    }

    /// A question is not repeated while its answers come, for this long at most.
    static let longestAnswer = Duration.seconds(2)

    /// The additional time before the first repetition for each instance that is known, where nothing shows that any is
    /// missing: many answers are not asked for twice only to be sure.
    static let delayPerInstance = Duration.milliseconds(2)

    /// The time at which it was first asked.
    let opened: ContinuousClock.Instant

    /// The time at which an answer last came, to whatever was asked here.
    var lastAnswer: ContinuousClock.Instant?

    /// Indicates whether a repeated question has brought something new or could not be sent, or the socket has lost
    /// answers.
    var hasGap = false

    private var phase: Phase

    /// The number of times that it has been repeated, and the time of the last.
    private var repetitions = 0
    private var repeatedAt: ContinuousClock.Instant?

    init(opened: ContinuousClock.Instant, repeatedAfter delay: Duration) {
        self.opened = opened
        self.phase = .repeating(at: opened + delay)
    }

    /// The time at which it may have to be repeated.
    var deadline: ContinuousClock.Instant? {
        if case .repeating(let time) = phase { time } else { nil }
    }

    /// Indicates whether it may have to be repeated now; ``repeatIfDue(known:lacksSome:_:now:)`` has to follow.
    mutating func takeRepetition(now: ContinuousClock.Instant) -> Bool {
        guard let deadline, deadline <= now else { return false }
        phase = .over
        return true
    }

    /// Notes an instance that the questions before have missed.
    mutating func noteNewInstance() {
        if repetitions > 0 { hasGap = true }
    }

    /// Indicates whether nobody has answered the repeated question, though somebody had answered before: it brought
    /// nothing new, and says nothing of what there is.
    private var isRepetitionLost: Bool {
        guard let repeatedAt, let lastAnswer else { return false }
        return lastAnswer < repeatedAt
    }

    /// Repeats it, or puts that off while answers come.
    ///
    /// - Parameters:
    ///   - known: The number of instances that are known.
    ///   - lacksSome: Whether any of them is incomplete.
    /// - Returns: Whether it is to be asked now.
    mutating func repeatIfDue(
        known: Int,
        lacksSome: Bool,
        _ configuration: OneShotConfiguration,
        now: ContinuousClock.Instant
    ) -> Bool {
        var time = opened
        if let lastAnswer { time = min(lastAnswer + configuration.answerTime, opened + Self.longestAnswer) }
        if !hasGap, !isRepetitionLost, !lacksSome {
            guard repetitions == 0 else { return false }
            time = max(time, opened + Self.delayPerInstance * known)
        }
        guard time <= now else {
            phase = .repeating(at: time)
            return false
        }
        if repetitions + 1 < configuration.repetitions {
            phase = .repeating(at: now + configuration.repetitionDelay * (2 << repetitions))
        }
        repetitions += 1
        hasGap = false
        repeatedAt = now
        return true
    }
}
