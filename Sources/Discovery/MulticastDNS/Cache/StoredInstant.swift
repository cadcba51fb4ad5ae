/// A time that takes eight bytes where it is stored, half of what a `ContinuousClock.Instant` takes: the nearest
/// nanosecond.
///
/// Each cached record has several times, and a flood makes this host keep tens of thousands of records.
@propertyWrapper
struct StoredInstant: Hashable, Comparable, Sendable {
    /// The arbitrary time from which all others are counted; 292 years fit on either side of it.
    private static let origin = ContinuousClock.now

    private var nanoseconds: Int64

    init(wrappedValue: ContinuousClock.Instant) {
        self.nanoseconds = Self.nanoseconds(wrappedValue)
    }

    /// The time, as the clock tells it.
    var wrappedValue: ContinuousClock.Instant {
        get { Self.origin + .nanoseconds(nanoseconds) }
        set { nanoseconds = Self.nanoseconds(newValue) }
    }

    private static func nanoseconds(_ instant: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = (instant - origin).components
        let half: Int64 = attoseconds < 0 ? -500_000_000 : 500_000_000
        return seconds * 1_000_000_000 + (attoseconds + half) / 1_000_000_000
    }

    static func < (lhs: StoredInstant, rhs: StoredInstant) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
}
