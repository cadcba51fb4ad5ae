internal import DNSSD

/// The numbers of records that each address may still request.
struct SourceAllowances: Sendable {
    private let limits: ResponderLimits
    private var buckets: [PacketSource: TokenBucket] = [:]

    /// The allowance that addresses without one of their own share.
    private var common: TokenBucket

    /// The time at which addresses with a full allowance were last removed.
    private var swept: ContinuousClock.Instant

    init(limits: ResponderLimits, now: ContinuousClock.Instant) {
        self.limits = limits
        self.common = Self.bucket(limits, now: now)
        self.swept = now
    }

    /// The number of addresses that have an allowance of their own.
    var count: Int { buckets.count }

    /// Takes a number of records out of the allowance of an address.
    ///
    /// - Returns: Whether the allowance was large enough.
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
