/// The condition of the backend beside which the query runs, as far as it has been reported. A value: no clock, no I/O.
struct AccompaniedBackend {
    private enum Phase {
        /// Nothing has been reported yet: the backend is assumed to work.
        case unknown

        /// The backend does not work, and never has.
        case starting

        case running

        /// The backend no longer works.
        case silent
    }

    /// The longest time for which a backend counts as busy with what it sees.
    private static let busyLimit = Duration.seconds(30)

    private var phase = Phase.unknown

    /// The time since which the backend has been about to report more; `nil` when it is not.
    private var busySince: ContinuousClock.Instant?

    /// Indicates whether the backend works.
    var isRunning: Bool { phase == .unknown || phase == .running }

    /// Indicates whether the backend has ever worked.
    var hasRun: Bool { phase == .running || phase == .silent }

    /// Indicates whether the backend is about to report more by itself.
    func isBusy(now: ContinuousClock.Instant) -> Bool {
        isRunning && busySince.map { now < $0 + Self.busyLimit } == true
    }

    /// Records the condition that the backend has reported.
    mutating func change(isRunning: Bool, isBusy: Bool, now: ContinuousClock.Instant) {
        phase = isRunning ? .running : hasRun ? .silent : .starting
        busySince = isBusy ? busySince ?? now : nil
    }
}
