/// A token bucket: what may still come under a ``ConnectionLimits/Rate``.
///
/// A value without a clock; it is told the time, which never goes back.
struct RollingAllowance {
    private let rate: ConnectionLimits.Rate
    private var available: Double
    private var last: ContinuousClock.Instant

    /// A full bucket.
    init(_ rate: ConnectionLimits.Rate, at now: ContinuousClock.Instant) {
        self.rate = rate
        self.available = Double(rate.burst)
        self.last = now
    }

    /// Takes an amount.
    ///
    /// - Returns: `false` when there is not so much; then nothing is taken.
    mutating func take(_ amount: Int, at now: ContinuousClock.Instant) -> Bool {
        let elapsed = max(last.duration(to: now) / .seconds(1), 0)
        available = min(available + elapsed * Double(rate.perSecond), Double(rate.burst))
        last = max(last, now)
        guard Double(amount) <= available else { return false }
        available -= Double(amount)
        return true
    }
}
