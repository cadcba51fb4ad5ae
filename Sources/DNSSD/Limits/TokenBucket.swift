/// A limit on the rate of something: so many at once, and then so many a second.
package struct TokenBucket {
    private let capacity: Double
    private let perSecond: Double
    private var tokens: Double
    private var filled: ContinuousClock.Instant

    package init(capacity: Int, perSecond: Int, now: ContinuousClock.Instant) {
        self.capacity = Double(capacity)
        self.perSecond = Double(perSecond)
        self.tokens = Double(capacity)
        self.filled = now
    }

    /// Takes tokens.
    ///
    /// - Returns: Whether there were as many.
    package mutating func take(_ count: Int = 1, now: ContinuousClock.Instant) -> Bool {
        if now > filled {
            tokens = min(capacity, tokens + (now - filled) / .seconds(1) * perSecond)
            filled = now
        }
        guard tokens >= Double(count) else { return false }
        tokens -= Double(count)
        return true
    }

    /// Indicates whether it is full: nothing has been taken lately.
    package func isFull(at now: ContinuousClock.Instant) -> Bool {
        tokens + (now - filled) / .seconds(1) * perSecond >= capacity
    }
}
