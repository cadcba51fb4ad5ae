internal import DNSSD

/// The services that are to be reconfirmed, since nothing answers where they lead: each once while it goes on failing,
/// and a few in a second, so that a forger cannot make us ask in his place.
struct ReconfirmLimiter {
    private static let mostPerSecond = 20

    private var reconfirmed: Set<ServiceInstance> = []

    /// The services that may be reconfirmed now; `nil` before the first, when it is full.
    private var bucket: TokenBucket?

    /// A service has failed.
    ///
    /// - Returns: Whether it is to be reconfirmed. One that had to stand back is, the next time that it fails.
    mutating func failed(_ instance: ServiceInstance, now: ContinuousClock.Instant) -> Bool {
        guard !reconfirmed.contains(instance) else { return false }
        var bucket = bucket ?? TokenBucket(capacity: Self.mostPerSecond, perSecond: Self.mostPerSecond, now: now)
        let isAllowed = bucket.take(now: now)
        self.bucket = bucket
        if isAllowed { reconfirmed.insert(instance) }
        return isAllowed
    }

    /// A service has answered, or is gone.
    mutating func clear(_ instance: ServiceInstance) {
        reconfirmed.remove(instance)
    }
}
