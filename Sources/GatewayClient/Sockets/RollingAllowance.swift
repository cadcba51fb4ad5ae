internal import DNSSD

/// A token bucket: the amount that may still come under a ``ConnectionLimits/Rate``.
///
/// While nothing is read, data piles up at the peer and in the systems between. So the time of a ``pause(at:)`` is not
/// lost when the bucket is full: after it, as much may come, at a limited pace, as a peer within its rate can have sent
/// meanwhile. A peer within its rate is never considered a flood, however seldom it is read.
///
/// A value without a clock: callers pass in the time, which never goes back.
struct RollingAllowance {
    /// The verdict on an amount.
    enum Verdict: Hashable {
        /// The amount is allowed.
        case allowed
        /// The amount is allowed, because it piled up during a pause. The next read has to wait for this time, so that
        /// the backlog comes no faster than a steady stream at this rate.
        case piledUp(wait: Duration)
        /// The amount is more than is allowed; nothing is taken.
        case flood
    }

    /// The longest pause that counts: a gateway drops data that it has to hold back for longer.
    static let longestPause = Duration.seconds(60)

    private let rate: ConnectionLimits.Rate
    private var bucket: TokenBucket
    /// The amount that was added while the bucket was full and nothing was read.
    private var piled = 0.0
    private var isPaused = false

    /// Makes a full bucket.
    init(_ rate: ConnectionLimits.Rate, at now: ContinuousClock.Instant) {
        self.rate = rate
        self.bucket = TokenBucket(capacity: rate.burst, perSecond: rate.perSecond, now: now)
    }

    /// Takes an amount out of the bucket.
    mutating func take(_ amount: Int, at now: ContinuousClock.Instant) -> Verdict {
        refill(at: now)
        guard !bucket.take(amount, now: now) else { return .allowed }
        let missing = Double(amount) - bucket.tokens
        guard missing <= piled else { return .flood }
        piled -= missing
        bucket.empty()
        return .piledUp(wait: .seconds(missing / Double(rate.perSecond)))
    }

    /// Records that nothing is read from now on.
    mutating func pause(at now: ContinuousClock.Instant) {
        refill(at: now)
        isPaused = true
    }

    /// Records that reading goes on.
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
