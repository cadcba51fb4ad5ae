internal import DNSSD

extension Scanner {
    /// Asks each gateway that counts as answering once more, and waits until it is known whether it does. A gateway with a
    /// live session is not asked.
    ///
    /// - Parameter deadline: The latest time at which to return.
    package func checkAnew(until deadline: ContinuousClock.Instant) async {
        var asked: Set<Endpoint> = []
        change { asked = $0.checkAnew(now: $1) }
        let due = asked
        guard !due.isEmpty else { return }
        _ = await waits(until: deadline) { $0.hasReportedAll && $0.state.hasAnswers(from: due) }
    }
}
