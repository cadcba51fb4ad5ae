internal import DNSSD

/// Questions that are asked where the backend is told more than it can take in, or tells nothing itself: see
/// ``OverloadQuestions`` and ``SilenceQuestions``.
extension OneShotQuery {
    /// The backend has lost packets that were said to all.
    package mutating func backendLost(now: ContinuousClock.Instant) {
        self.now = now
        overloadQuestions.noteLoss(now: now)
    }

    /// The number of services on the path that has most.
    var mostServices: Int { paths.values.map(\.rows.count).max() ?? 0 }

    /// Asks for everything again, and goes on with that while the backend does not work.
    ///
    /// Instances that have just been asked for, for whatever reason, are not asked for once more: the
    /// backend may be silent because thousands of answers keep it busy.
    mutating func askInSilence(spacing: Duration) -> [OneShotAction] {
        let open = paths.filter { $0.value.browsedAt + spacing <= now }.keys.sorted()
        guard !open.isEmpty else {
            silenceQuestions.wait(until: paths.values.map { $0.browsedAt + spacing }.min() ?? now + spacing)
            return []
        }
        silenceQuestions.ask(services: mostServices, now: now)
        return open.flatMap { browse(on: $0) }
    }
}
