internal import DNSSD

/// The services that are to be reconfirmed, since nothing answers where they lead: each once while it goes on failing,
/// and a few in a second, so that a forger cannot make us ask in his place.
struct ReconfirmLimiter {
    private static let mostPerSecond = 20

    private var reconfirmed: Set<ServiceInstance> = []

    /// The second that is counted in, and how many it has had.
    private var second: (start: ContinuousClock.Instant, count: Int)?

    /// A service has failed.
    ///
    /// - Returns: Whether it is to be reconfirmed. One that had to stand back is, the next time that it fails.
    mutating func failed(_ instance: ServiceInstance, now: ContinuousClock.Instant) -> Bool {
        guard !reconfirmed.contains(instance) else { return false }
        var second = second ?? (now, 0)
        if now >= second.start + .seconds(1) { second = (now, 0) }
        guard second.count < Self.mostPerSecond else { return false }
        second.count += 1
        self.second = second
        reconfirmed.insert(instance)
        return true
    }

    /// A service has answered, or is gone.
    mutating func clear(_ instance: ServiceInstance) {
        reconfirmed.remove(instance)
    }
}
