internal import GatewayProtocol

extension SessionSnapshot {
    /// Returns the note about the session for other processes.
    ///
    /// - Parameters:
    ///   - time: The time, in milliseconds since 1970.
    ///   - now: The same time of the clock of sessions.
    ///   - former: The refusal that was noted last; `nil` if none was. One for the same reason goes on since then.
    package func note(at time: Int, now: ContinuousClock.Instant, after former: NotedRefusal? = nil) -> SessionNote {
        SessionNote(
            state: detail.paired.rawValue,
            since: time,
            path: path,
            reason: reason,
            refusal: refusal(at: time, now: now, after: former)
        )
    }

    private func refusal(at time: Int, now: ContinuousClock.Instant, after former: NotedRefusal?) -> NotedRefusal? {
        let (refusal, until): (SessionRefusal, Int?)
        switch detail {
        case .deferred(let deferral, let end): (refusal, until) = (deferral, time + Int((end - now) / .milliseconds(1)))
        case .refused(let final), .revoked(let final): (refusal, until) = (final, nil)
        case .stopped, .held, .queued, .idle, .waiting, .connecting, .authenticating, .connected, .moved, .changedLeaf,
            .uncertified, .failed:
            return nil
        }
        let isSame = former?.reason == refusal.reason && former?.requestID == refusal.requestID
        return NotedRefusal(refusal, since: isSame ? former?.since ?? time : time, until: until)
    }
}
