/// The share that one connection has of an ``AssemblyBudget``, and since when. A value without a clock.
///
/// A peer may have its share for a time, so that it cannot keep others from theirs by a message that it never ends. The time
/// in which nothing is read from it does not count.
struct AssemblyShare {
    private var budget: AssemblyBudget?
    /// The bytes since the last whole message, and how many of them the budget was asked for.
    private var assembling = 0
    private var taken = 0
    /// The time since when there is a share, less the pauses.
    private var began: ContinuousClock.Instant?
    private var paused: ContinuousClock.Instant?

    /// Counts what is not whole yet against a budget from now on; `nil` counts nothing any more.
    mutating func count(against budget: AssemblyBudget?) {
        keep(0)
        self.budget = budget
    }

    /// Notes bytes of which a message may be made.
    ///
    /// - Returns: `false` when there is no memory for them.
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

    /// Bytes that were noted are no part of the message that is not whole yet.
    mutating func leaveOut(_ count: Int) { keep(assembling - count) }

    /// A message is whole, or never will be.
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

    /// Is told that nothing is read from now on.
    mutating func pause(at now: ContinuousClock.Instant) {
        paused = paused ?? now
    }

    /// Is told that reading goes on.
    mutating func resume(at now: ContinuousClock.Instant) {
        if let paused, let start = began { began = start + (now - max(paused, start)) }
        paused = nil
    }

    /// The time for which the share may still be had, of so much in all; `nil` when there is none.
    func timeLeft(of limit: Duration, at now: ContinuousClock.Instant) -> Duration? {
        began.map { limit - (max(paused ?? now, $0) - $0) }
    }
}
