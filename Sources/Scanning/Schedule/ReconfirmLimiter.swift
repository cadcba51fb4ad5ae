internal import DNSSD

/// The services to reconfirm, since nothing answers where they lead: each once while it keeps failing, and a limited
/// number per second, so that a forger cannot use this host to send queries.
struct ReconfirmLimiter {
    private static let mostPerSecond = 20

    private var reconfirmed: Set<ServiceInstance> = []

    /// The start of the current second, and the number of services that were reconfirmed in it.
    private var second: (start: ContinuousClock.Instant, count: Int)?

    /// Records that nothing answers where a service leads.
    ///
    /// - Returns: `true` if it is to be reconfirmed. A service beyond the limit is reconfirmed the next time that it
    ///   fails.
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

    /// Forgets a service that has answered, or is gone.
    mutating func clear(_ instance: ServiceInstance) {
        reconfirmed.remove(instance)
    }
}
