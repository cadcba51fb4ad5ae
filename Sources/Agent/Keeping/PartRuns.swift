internal import Reports

/// The runs of one part, one after the other: it decides when the part runs again after it has ended. A value.
///
/// The pause is 1 s at first and twice as long each time, at most a minute. A run of a minute or more was a good one, and
/// the next pause is the shortest again.
struct PartRuns: Hashable, Sendable {
    static let shortestPause = Duration.seconds(1)
    static let longestPause = Duration.seconds(60)

    /// The duration from which a run counts as a good one.
    static let goodRun = Duration.seconds(60)

    /// The state of the part.
    private(set) var state: PartState

    /// The number of times that the part has ended while it should run.
    private(set) var ends = 0

    private var begun: ContinuousClock.Instant?
    private var pause = shortestPause

    init(at time: Timestamp) {
        state = PartState(.starting, since: time)
    }

    /// Takes in that a run begins.
    mutating func begin(now: ContinuousClock.Instant, at time: Timestamp) {
        begun = now
        enter(.starting, nil, at: time)
    }

    /// Takes in what a run reports of itself.
    ///
    /// - Parameter trouble: What it cannot do, for people; `nil` if it works in full.
    mutating func report(trouble: String?, at time: Timestamp) {
        // A report that was under way when the run ended says nothing about the pause.
        guard begun != nil else { return }
        enter(trouble == nil ? .running : .impaired, trouble, at: time)
    }

    /// Takes in that a run has ended.
    ///
    /// - Returns: The pause before the next run.
    mutating func end(reason: String, now: ContinuousClock.Instant, at time: Timestamp) -> Duration {
        if let begun, now - begun >= Self.goodRun { pause = Self.shortestPause }
        begun = nil
        ends += 1
        enter(.waiting, reason, at: time)
        defer { pause = min(pause * 2, Self.longestPause) }
        return pause
    }

    /// Takes in that the part ends for good.
    mutating func stop(at time: Timestamp) {
        begun = nil
        enter(.stopped, nil, at: time)
    }

    private mutating func enter(_ word: PartState.Word, _ reason: String?, at time: Timestamp) {
        guard (state.word, state.reason) != (word, reason) else { return }
        state = PartState(word, reason: reason, since: time)
    }
}
