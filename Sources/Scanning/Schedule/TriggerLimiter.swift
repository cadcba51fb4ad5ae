/// A limit on how often word from others brings a question forward: once a second at most, and once in ten seconds when
/// three such questions in a row have brought no change of answer. Whoever toggles a record fifty times a second does
/// not make us ask as often.
struct TriggerLimiter: Hashable {
    private static let gap = Duration.seconds(1)
    private static let longGap = Duration.seconds(10)
    private static let mostInVain = 3

    private var last: ContinuousClock.Instant?
    private var inVain = 0

    /// Something was said.
    ///
    /// - Returns: When to ask because of it; `nil` when that is arranged already.
    mutating func trigger(now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let last else {
            self.last = now
            inVain = 1
            return now
        }
        guard last <= now else { return nil }
        let time = max(now, last + (inVain >= Self.mostInVain ? Self.longGap : Self.gap))
        self.last = time
        inVain += 1
        return time
    }

    /// The answer was another one than before.
    mutating func answerChanged() {
        inVain = 0
    }
}
