/// One connection's share of an ``AssemblyBudget``, and the time since when it has one. A value without a clock.
///
/// A peer may keep its share only for a limited time, so that it cannot take memory from others by a message that it
/// never ends. Time in which nothing is read from it does not count.
struct AssemblyShare {
    private var budget: AssemblyBudget?
    /// The bytes since the last complete message, and how many of them were taken from the budget.
    private var assembling = 0
    private var taken = 0
    /// The time since when the connection has a share, moved forward by the length of each pause.
    private var began: ContinuousClock.Instant?
    private var paused: ContinuousClock.Instant?

    /// Counts incomplete messages against a budget from now on; `nil` stops the counting.
    mutating func count(against budget: AssemblyBudget?) {
        keep(0)
        self.budget = budget
    }

    /// Counts received bytes that may be part of a message.
    ///
    /// - Returns: `false` when the budget has no memory left for them.
    mutating func assemble(_ count: Int, at now: ContinuousClock.Instant) -> Bool {
        guard let budget else { return true }
        assembling += count
        let more = assembling - AssemblyBudget.freeBytes - taken
        guard more > 0 else { return true }
        guard budget.take(more) else { return false }
        if taken == 0 { began = now }
        taken += more
        return true
    }

    /// Excludes bytes that were counted, but are not part of the incomplete message.
    mutating func leaveOut(_ count: Int) { keep(assembling - count) }

    /// Records that a message is complete, or never will be.
    mutating func assembled() { keep(0) }

    private mutating func keep(_ count: Int) {
        assembling = max(count, 0)
        let excess = taken - max(assembling - AssemblyBudget.freeBytes, 0)
        guard excess > 0 else { return }
        budget?.giveBack(excess)
        taken -= excess
        if taken == 0 { began = nil }
    }

    // MARK: Time

    /// Records that nothing is read from now on.
    mutating func pause(at now: ContinuousClock.Instant) {
        paused = paused ?? now
    }

    /// Records that reading goes on.
    mutating func resume(at now: ContinuousClock.Instant) {
        if let paused, let start = began { began = start + (now - max(paused, start)) }
        paused = nil
    }

    /// Returns how much longer the share may be kept, given the time limit; `nil` when there is no share.
    func timeLeft(of limit: Duration, at now: ContinuousClock.Instant) -> Duration? {
        began.map { limit - (max(paused ?? now, $0) - $0) }
    }
}
