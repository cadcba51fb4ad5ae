/// A limit on the rate of something: a burst of so many at once, and then so many per second. A value type; callers
/// pass the time.
package struct TokenBucket: Hashable, Sendable {
    private let capacity: Double
    private let perSecond: Double

    /// The number of tokens in the bucket at the time of the last call.
    package private(set) var tokens: Double
    private var filled: ContinuousClock.Instant

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - capacity: The maximum number of tokens in the bucket.
    ///   - perSecond: The number of tokens added per second.
    package init(capacity: Int, perSecond: Int, now: ContinuousClock.Instant) {
        self.capacity = Double(capacity)
        self.perSecond = Double(perSecond)
        self.tokens = Double(capacity)
        self.filled = now
    }

    /// Takes the given number of tokens, or none if there are fewer. A time before that of the last call adds none.
    ///
    /// - Returns: Whether there were enough tokens.
    package mutating func take(_ count: Int = 1, now: ContinuousClock.Instant) -> Bool {
        refill(now: now)
        guard tokens >= Double(count) else { return false }
        tokens -= Double(count)
        return true
    }

    /// Adds the tokens that are due. A time before that of the last call adds none.
    ///
    /// - Returns: The number of tokens for which there was no room.
    @discardableResult
    package mutating func refill(now: ContinuousClock.Instant) -> Double {
        guard now > filled else { return 0 }
        let sum = tokens + (now - filled) / .seconds(1) * perSecond
        tokens = min(capacity, sum)
        filled = now
        return sum - tokens
    }

    /// Takes all tokens that are in the bucket.
    package mutating func empty() {
        tokens = 0
    }

    /// Indicates whether the bucket is full: no tokens have been taken lately.
    package func isFull(at now: ContinuousClock.Instant) -> Bool {
        tokens + (now - filled) / .seconds(1) * perSecond >= capacity
    }

    /// Returns the time at which the bucket will hold so many tokens, or its full capacity if that is less.
    package func time(for count: Int) -> ContinuousClock.Instant {
        filled + .seconds((min(Double(count), capacity) - tokens) / perSecond)
    }
}
