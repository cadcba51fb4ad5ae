/// A limit on how often reports from the network bring a question forward: at most once a second, and once in ten
/// seconds when three such questions in a row have brought no change of answer. A host that toggles a record fifty
/// times a second cannot make this one ask as often.
struct TriggerLimiter: Hashable {
    private static let interval = Duration.seconds(1)
    private static let longInterval = Duration.seconds(10)
    private static let mostInVain = 3

    @Rare private var last: ContinuousClock.Instant?
    private var inVain = 0

    /// Takes in a report.
    ///
    /// - Returns: The time at which to ask because of it; `nil` when a question is arranged already.
    mutating func trigger(now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let last else {
            self.last = now
            inVain = 1
            return now
        }
        guard last <= now else { return nil }
        let time = max(now, last + (inVain >= Self.mostInVain ? Self.longInterval : Self.interval))
        self.last = time
        inVain += 1
        return time
    }

    /// Records that the answer has changed.
    mutating func answerChanged() {
        inVain = 0
    }
}
