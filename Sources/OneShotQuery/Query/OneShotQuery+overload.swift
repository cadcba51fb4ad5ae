internal import DNSSD

/// Questions that are asked where the backend is told more than it can take in, or tells nothing itself.
///
/// What it loses was said once, to all, and is not said again. Answers to our own question come to our own port, which is not
/// the one that overflows. A daemon that is flooded does not say that it loses anything: for as long as that takes it does not
/// answer, now and again.
extension OneShotQuery {
    /// The time to wait after the first loss: more will follow.
    private static let overloadDelay = Duration.milliseconds(250)

    /// The time between two questions at first, while losses go on: what is published in a flood is seen while it lasts.
    private static let overloadInterval = Duration.seconds(2)

    /// The number of them after which each is put off for twice as long: then it is not going to end soon.
    private static let overloadPatience = 8

    /// The time in which one of these questions is forgotten, so that they never come more rarely than this while
    /// losses go on.
    private static let overloadMemory = Duration.seconds(16)

    /// The backend has lost packets that were said to all.
    package mutating func backendLost(now: ContinuousClock.Instant) {
        self.now = now
        guard overloadAt == nil else { return }
        let questions = recentOverloadQuestions
        guard questions > 0, let asked = overloadAsked else {
            overloadAt = now + Self.overloadDelay
            return
        }
        let interval = Self.overloadInterval * (1 << max(0, questions - Self.overloadPatience))
        overloadAt = max(asked + interval, now + Self.overloadDelay)
    }

    /// The number of these questions that were asked and are not forgotten.
    private var recentOverloadQuestions: Int {
        guard let asked = overloadAsked else { return 0 }
        return max(0, overloadQuestions - Int((now - asked) / Self.overloadMemory))
    }

    /// The time for which questions go on once the backend works again: what was said while it did not is not said
    /// again.
    private static let silenceMemory = Duration.seconds(10)

    /// The time between two questions while the backend does not work: at first, and at most. After so many of the first each
    /// time is twice as long.
    private static let silenceIntervals = (first: Duration.seconds(1), count: 10, longest: Duration.seconds(8))

    /// The time that a backend may take to begin.
    private static let startTime = Duration.seconds(1)

    /// The time by which a question is rarer for each service that answers it.
    private static let timePerService = Duration.milliseconds(8)

    /// The backend works, or does not.
    ///
    /// - Parameter wasRunning: Whether it did before.
    mutating func expectSilence(wasRunning: Bool) {
        guard isBackendRunning else {
            silenceUntil = nil
            // For one that comes and goes it is asked as often as for one that is away.
            guard wasRunning, silenceAt == nil else { return }
            // One that has only just been asked for is not silent.
            let begin = now + (hasBackendRun ? Self.overloadDelay : Self.startTime)
            silenceAt = max(begin, silenceAsked.map { $0 + silenceInterval } ?? begin)
            return
        }
        if !wasRunning, hasBackendRun || silenceAsked != nil {
            silenceUntil = now + Self.silenceMemory
        } else if !hasBackendRun {
            silenceAt = nil
        }
        hasBackendRun = true
    }

    private var silenceInterval: Duration {
        let doublings = min(max(0, silenceQuestions - Self.silenceIntervals.count), 3)
        let interval = min(Self.silenceIntervals.first * (1 << doublings), Self.silenceIntervals.longest)
        // On a large network the answers alone keep everybody busy.
        let services = paths.values.map(\.rows.count).max() ?? 0
        return max(interval, Self.timePerService * services)
    }

    /// Asks for everything again, and goes on with that while the backend does not work.
    ///
    /// One that works again asks itself, ever more rarely (RFC 6762 §5.2): beside it the time between two questions doubles from
    /// the first on. Where the instances have just been asked for, for whatever reason, they are not asked for once more: the
    /// backend may be silent because thousands of answers keep it busy.
    mutating func askInSilence() -> [OneShotAction] {
        if let end = silenceUntil, end <= now { return [] }
        if let asked = silenceAsked, asked + Self.overloadMemory <= now { silenceQuestions = 0 }
        let spacing = silenceInterval
        let open = paths.filter { $0.value.browsedAt + spacing <= now }.keys.sorted()
        guard !open.isEmpty else {
            silenceAt = paths.values.map { $0.browsedAt + spacing }.min() ?? now + spacing
            return []
        }
        silenceQuestions += 1
        silenceAsked = now
        let working = silenceUntil.map { Self.silenceMemory - ($0 - now) } ?? .zero
        silenceAt = now + max(silenceInterval, working)
        return open.flatMap { browse(on: $0) }
    }

    /// Asks for everything again.
    mutating func askInOverload() -> [OneShotAction] {
        overloadQuestions = recentOverloadQuestions + 1
        overloadAsked = now
        return paths.keys.sorted().flatMap { browse(on: $0) }
    }
}
