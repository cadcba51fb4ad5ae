/// How many records each address may still ask for.
struct SourceAllowances: Sendable {
    private let limits: ResponderLimits
    private var buckets: [PacketSource: TokenBucket] = [:]

    /// What those share that have none of their own.
    private var common: TokenBucket

    /// When those with a full one were last let go.
    private var swept: ContinuousClock.Instant

    init(limits: ResponderLimits, now: ContinuousClock.Instant) {
        self.limits = limits
        self.common = Self.bucket(limits, now: now)
        self.swept = now
    }

    /// How many addresses have one of their own.
    var count: Int { buckets.count }

    /// Takes so many records out of an address's allowance.
    ///
    /// - Returns: Whether there were as many.
    mutating func take(_ count: Int, for source: PacketSource, now: ContinuousClock.Instant) -> Bool {
        if buckets[source] == nil, buckets.count >= limits.allowances, now - swept >= .seconds(1) {
            swept = now
            buckets = buckets.filter { !$0.value.isFull(at: now) }
        }
        if buckets[source] == nil {
            guard buckets.count < limits.allowances else { return common.take(count, now: now) }
            buckets[source] = Self.bucket(limits, now: now)
        }
        return buckets[source]?.take(count, now: now) ?? false
    }

    private static func bucket(_ limits: ResponderLimits, now: ContinuousClock.Instant) -> TokenBucket {
        TokenBucket(capacity: limits.answerBurst, perSecond: limits.answersPerSecond, now: now)
    }
}
