internal import DNSSD

/// A token bucket: what may still come under a ``ConnectionLimits/Rate``.
///
/// While nothing is read, what the peer sends piles up with it and with the systems between. So the time of a ``pause(at:)``
/// is not lost when the bucket is full: it allows as much as a peer within its rate can have sent meanwhile, at a pace. A peer
/// within its rate is never judged, however seldom it is read.
///
/// A value without a clock; it is told the time, which never goes back.
struct RollingAllowance {
    /// The judgement on an amount.
    enum Verdict: Hashable {
        /// It may come.
        case allowed
        /// It is part of what piled up. The next amount is to be read after this time, so that a pile takes as long as a
        /// burst that goes on.
        case piledUp(wait: Duration)
        /// There is not so much; nothing is taken.
        case flood
    }

    /// The longest time for which what piles up is allowed: what a gateway holds back longer than that, it drops.
    static let longestPause = Duration.seconds(60)

    private let rate: ConnectionLimits.Rate
    private var bucket: TokenBucket
    /// The amount that came in while the bucket was full and nothing was read.
    private var piled = 0.0
    private var isPaused = false

    /// A full bucket.
    init(_ rate: ConnectionLimits.Rate, at now: ContinuousClock.Instant) {
        self.rate = rate
        self.bucket = TokenBucket(capacity: rate.burst, perSecond: rate.perSecond, now: now)
    }

    /// Takes an amount.
    mutating func take(_ amount: Int, at now: ContinuousClock.Instant) -> Verdict {
        refill(at: now)
        guard !bucket.take(amount, now: now) else { return .allowed }
        let missing = Double(amount) - bucket.tokens
        guard missing <= piled else { return .flood }
        piled -= missing
        bucket.empty()
        return .piledUp(wait: .seconds(missing / Double(rate.perSecond)))
    }

    /// Is told that nothing is read from now on.
    mutating func pause(at now: ContinuousClock.Instant) {
        refill(at: now)
        isPaused = true
    }

    /// Is told that reading goes on.
    mutating func resume(at now: ContinuousClock.Instant) {
        refill(at: now)
        isPaused = false
    }

    private mutating func refill(at now: ContinuousClock.Instant) {
        let overflow = bucket.refill(now: now)
        guard isPaused else { return }
        let most = Double(rate.perSecond) * (Self.longestPause / .seconds(1))
        piled = min(piled + overflow, most)
    }
}
