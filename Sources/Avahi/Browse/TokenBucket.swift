/// A limit on the rate of something: so many at once, and then so many a second.
struct TokenBucket {
    private let capacity: Double
    private let perSecond: Double
    private var tokens: Double
    private var filled: ContinuousClock.Instant?

    init(capacity: Int, perSecond: Int) {
        self.capacity = Double(capacity)
        self.perSecond = Double(perSecond)
        self.tokens = Double(capacity)
    }

    /// Takes one token.
    ///
    /// - Returns: Whether there was one.
    mutating func take(now: ContinuousClock.Instant) -> Bool {
        if let filled { tokens = min(capacity, tokens + (now - filled) / .seconds(1) * perSecond) }
        filled = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// The time at which there will be a token again, after one was refused.
    var next: ContinuousClock.Instant? {
        // A few at a time: a timer for each would cost more than what it paces.
        filled.map { $0 + .seconds((min(16, capacity) - tokens) / perSecond) }
    }
}
