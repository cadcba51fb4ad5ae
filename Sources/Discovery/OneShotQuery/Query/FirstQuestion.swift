/// The question for the instances that is first asked on a path, and its repetitions in case packets are lost. A value:
/// no clock, no I/O.
struct FirstQuestion {
    private enum Phase {
        case repeating(at: ContinuousClock.Instant)
        case over
    }

    /// The longest time for which a question is not repeated because answers are still coming in.
    static let longestAnswer = Duration.seconds(2)

    /// The additional time before the first repetition for each known instance if there is no sign of a missing one, so
    /// that a large network is not asked for all its answers again just to be sure.
    static let delayPerInstance = Duration.milliseconds(2)

    /// The time at which the question was first asked.
    let opened: ContinuousClock.Instant

    /// The time at which the last answer came, to any question on this path.
    var lastAnswer: ContinuousClock.Instant?

    /// Indicates whether a repeated question has brought something new or could not be sent, or the socket has lost
    /// answers.
    var hasGap = false

    private var phase: Phase

    /// The number of repetitions, and the time of the last one.
    private var repetitions = 0
    private var repeatedAt: ContinuousClock.Instant?

    init(opened: ContinuousClock.Instant, repeatedAfter delay: Duration) {
        self.opened = opened
        self.phase = .repeating(at: opened + delay)
    }

    /// The time at which the question may have to be repeated.
    var deadline: ContinuousClock.Instant? {
        if case .repeating(let time) = phase { time } else { nil }
    }

    /// Indicates whether the question may have to be repeated now; ``repeatIfDue(known:lacksSome:_:now:)`` has to
    /// follow.
    mutating func takeRepetition(now: ContinuousClock.Instant) -> Bool {
        guard let deadline, deadline <= now else { return false }
        phase = .over
        return true
    }

    /// Records that an instance has come that was not known before. After a repetition, that means that earlier answers
    /// were lost.
    mutating func noteNewInstance() {
        if repetitions > 0 { hasGap = true }
    }

    /// Indicates whether nobody has answered the repeated question, although somebody had answered before: such a
    /// repetition does not show that nothing is missing.
    private var isRepetitionLost: Bool {
        guard let repeatedAt, let lastAnswer else { return false }
        return lastAnswer < repeatedAt
    }

    /// Repeats the question if that is necessary, or puts it off while answers come in.
    ///
    /// - Parameters:
    ///   - known: The number of known instances.
    ///   - lacksSome: Whether any of them is incomplete.
    /// - Returns: Whether the question is to be asked now.
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
