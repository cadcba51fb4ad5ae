internal import DNSSD

/// The services to reconfirm, since nothing answers where they lead: each once while it keeps failing, and a limited
/// number per second, so that a forger cannot use this host to send queries.
struct ReconfirmLimiter {
    private static let mostPerSecond = 20

    private var reconfirmed: Set<ServiceInstance> = []

    /// The services that may be reconfirmed now; `nil` before the first one, when the bucket is full.
    private var bucket: TokenBucket?

    /// Records that nothing answers where a service leads.
    ///
    /// - Returns: `true` if it is to be reconfirmed. A service beyond the limit is reconfirmed the next time that it
    ///   fails.
    mutating func failed(_ instance: ServiceInstance, now: ContinuousClock.Instant) -> Bool {
        guard !reconfirmed.contains(instance) else { return false }
        var bucket = bucket ?? TokenBucket(capacity: Self.mostPerSecond, perSecond: Self.mostPerSecond, now: now)
        let isAllowed = bucket.take(now: now)
        self.bucket = bucket
        if isAllowed { reconfirmed.insert(instance) }
        return isAllowed
    }

    /// Forgets a service that has answered, or is gone.
    mutating func clear(_ instance: ServiceInstance) {
        reconfirmed.remove(instance)
    }
}
