/// The time for which a gateway that has refused this device accepts it again, while that lasts. A value.
struct WatchedAcceptance: Hashable, Sendable {
    /// The time for which a gateway must accept this device before that is told: one that is refused again at once was not
    /// accepted.
    static let delay = Duration.seconds(3)

    /// The time since which it accepts this device; `nil` if it does not, or if that is not known.
    private(set) var since: ContinuousClock.Instant?

    /// Takes in whether the gateway accepts this device.
    mutating func observe(_ isAccepted: Bool, at now: ContinuousClock.Instant) {
        since = isAccepted ? since ?? now : nil
    }

    /// Indicates whether the refusal of which somebody knows is over.
    func isNews(ofKnown isRefusalKnown: Bool, at now: ContinuousClock.Instant) -> Bool {
        isRefusalKnown && since.map { now - $0 >= Self.delay } == true
    }

    /// Indicates whether that is decided within the next seconds.
    func isDue(ofKnown isRefusalKnown: Bool, at now: ContinuousClock.Instant) -> Bool {
        isRefusalKnown && since.map { now - $0 < Self.delay + .seconds(1) } == true
    }
}
