/// A fact that is so or not, with the time since which that is as it is.
struct Lasting: Hashable, Sendable {
    var isSo: Bool
    var since: ContinuousClock.Instant

    /// Takes in how it is now.
    mutating func note(_ isSo: Bool, at now: ContinuousClock.Instant) {
        if self.isSo != isSo { self = Lasting(isSo: isSo, since: now) }
    }

    /// Indicates whether it has been so, or not so, for a time.
    func has(_ isSo: Bool, for time: Duration, at now: ContinuousClock.Instant) -> Bool {
        self.isSo == isSo && now - since >= time
    }
}
