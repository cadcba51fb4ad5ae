internal import DNSSD

/// What is asked where the backend is told more than it can take in.
///
/// What it loses was said once, to all, and is not said again. Answers to our own question come to our own port, which is not
/// the one that overflows.
extension OneShotQuery {
    /// How long is waited after the first loss: more will follow.
    private static let overloadDelay = Duration.milliseconds(250)

    /// The time between two questions at first, while losses go on: what is published in a flood is seen while it lasts.
    private static let overloadInterval = Duration.seconds(2)

    /// After how many of them each is put off for twice as long: then it is not going to end soon.
    private static let overloadPatience = 8

    /// In what time one of them is forgotten, so that they never come more rarely than this while losses go on.
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

    /// How many were asked and are not forgotten.
    private var recentOverloadQuestions: Int {
        guard let asked = overloadAsked else { return 0 }
        return max(0, overloadQuestions - Int((now - asked) / Self.overloadMemory))
    }

    /// Asks for everything again.
    mutating func askInOverload() -> [OneShotAction] {
        overloadQuestions = recentOverloadQuestions + 1
        overloadAsked = now
        return paths.keys.sorted().flatMap { browse(on: $0) }
    }
}
