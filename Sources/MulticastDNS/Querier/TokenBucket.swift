/// A limit on the rate of something: so many at once, and then so many a second.
struct TokenBucket {
    private let capacity: Double
    private let perSecond: Double
    private var tokens: Double
    private var filled: ContinuousClock.Instant

    init(capacity: Int, perSecond: Int, now: ContinuousClock.Instant) {
        self.capacity = Double(capacity)
        self.perSecond = Double(perSecond)
        self.tokens = Double(capacity)
        self.filled = now
    }

    /// Takes one token.
    ///
    /// - Returns: Whether there was one.
    mutating func take(now: ContinuousClock.Instant) -> Bool {
        if now > filled {
            tokens = min(capacity, tokens + (now - filled) / .seconds(1) * perSecond)
            filled = now
        }
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// Whether nothing has been taken lately.
    func isFull(at now: ContinuousClock.Instant) -> Bool {
        tokens + (now - filled) / .seconds(1) * perSecond >= capacity
    }
}
