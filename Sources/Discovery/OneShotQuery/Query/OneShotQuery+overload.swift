/// Questions that are asked while the backend receives more than it can take in, or reports nothing itself: see
/// ``OverloadQuestions`` and ``OutageQuestions``.
extension OneShotQuery {
    /// Records that the backend has lost multicast packets.
    package mutating func backendLost(now: ContinuousClock.Instant) {
        self.now = now
        overloadQuestions.noteLoss(now: now)
    }

    /// The number of services on the path that has the most.
    var mostServices: Int { paths.values.map(\.rows.count).max() ?? 0 }

    /// Asks for the instances again, and goes on doing so while the backend does not work.
    ///
    /// Paths on which the instances have just been asked for, for whatever reason, are left out: the backend may be
    /// silent because thousands of answers keep it busy.
    mutating func askInOutage(spacing: Duration) -> [OneShotAction] {
        let open = paths.filter { $0.value.browsedAt + spacing <= now }.keys.sorted()
        guard !open.isEmpty else {
            outageQuestions.wait(until: paths.values.map { $0.browsedAt + spacing }.min() ?? now + spacing)
            return []
        }
        outageQuestions.ask(services: mostServices, now: now)
        return open.flatMap { browse(on: $0) }
    }
}
