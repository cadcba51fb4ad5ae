/// The condition of the backend that the query runs beside, as far as it has been told. A value: no clock, no I/O.
struct BackendCondition {
    private enum Phase {
        /// Nothing has been said yet: it is believed to work.
        case unknown

        /// It does not work, and never has.
        case starting

        case running

        /// It does not work any more.
        case silent
    }

    /// The time for which a backend that works through what it sees is left alone.
    private static let patience = Duration.seconds(30)

    private var phase = Phase.unknown

    /// The time since which it has been about to tell more; `nil` when it is not.
    private var busySince: ContinuousClock.Instant?

    /// Indicates whether it works.
    var isRunning: Bool { phase == .unknown || phase == .running }

    /// Indicates whether it ever has.
    var hasRun: Bool { phase == .running || phase == .silent }

    /// Indicates whether it is about to see for itself.
    func isBusy(now: ContinuousClock.Instant) -> Bool {
        isRunning && busySince.map { now < $0 + Self.patience } == true
    }

    /// Notes what it says.
    mutating func change(isRunning: Bool, isBusy: Bool, now: ContinuousClock.Instant) {
        phase = isRunning ? .running : hasRun ? .silent : .starting
        busySince = isBusy ? busySince ?? now : nil
    }
}
