/// A duration that takes eight bytes where it is stored, a third of what an optional `Duration` takes: whole
/// nanoseconds.
@propertyWrapper
struct StoredDuration: Hashable, Sendable {
    /// The nanoseconds; the least number of all for `nil`.
    private var nanoseconds = Int64.min

    init() {}

    /// The duration, if there is one; what is longer than 292 years is cut to that.
    var wrappedValue: Duration? {
        get { nanoseconds == .min ? nil : .nanoseconds(nanoseconds) }
        set { nanoseconds = newValue.map(Self.nanoseconds) ?? .min }
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        guard abs(seconds) < Int64.max / 1_000_000_000 else { return seconds < 0 ? -.max : .max }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
