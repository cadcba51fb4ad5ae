/// A limit on the rate of something: so many at once, and then so many a second. A value; the time is told to it.
package struct TokenBucket: Hashable, Sendable {
    private let capacity: Double
    private let perSecond: Double
    private var tokens: Double
    private var filled: ContinuousClock.Instant

    /// Makes a full bucket.
    ///
    /// - Parameters:
    ///   - capacity: The most tokens that it holds.
    ///   - perSecond: The number of tokens that come in a second.
    package init(capacity: Int, perSecond: Int, now: ContinuousClock.Instant) {
        self.capacity = Double(capacity)
        self.perSecond = Double(perSecond)
        self.tokens = Double(capacity)
        self.filled = now
    }

    /// Takes tokens: all of them, or none where there are not as many. A time before the last one adds nothing.
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

    /// Returns the time at which there will be so many tokens, or as many as it holds.
    package func time(for count: Int) -> ContinuousClock.Instant {
        filled + .seconds((min(Double(count), capacity) - tokens) / perSecond)
    }
}
