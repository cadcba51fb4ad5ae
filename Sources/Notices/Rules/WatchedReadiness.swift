internal import GatewayProtocol
internal import Reports

/// The readiness of a watched gateway as it lasts, and what is to be told of it. A value.
struct WatchedReadiness: Hashable, Sendable {
    /// The time for which a gateway must say that it is not ready before that is told: one that starts needs some.
    static let delay = Duration.seconds(120)

    /// The time for which it must say so before the history has it, and for which it must be ready again: one that is just
    /// started says so for a moment.
    static let recordDelay = Duration.seconds(10)

    /// The time for which it must be ready again before that is told.
    private static let shortestReturn = WatchedGateway.shortestReturn

    /// The time within which something counts as due.
    private static let soon = Duration.seconds(6)

    /// Its being ready; `nil` while that is not known.
    private var ready: Lasting?

    /// Indicates whether it says that it is not ready.
    var isNotReady: Bool { ready?.isSo == false }

    /// Takes in what it says now; `nil` if it says nothing, or nothing that counts: what is not known is neither so nor
    /// otherwise.
    mutating func observe(_ readiness: Readiness?, at now: ContinuousClock.Instant) {
        guard let isReady = readiness?.isReady else {
            ready = nil
            return
        }
        if ready == nil { ready = Lasting(isSo: isReady, since: now) }
        ready?.note(isReady, at: now)
    }

    /// The time since which it has said that it is not ready, if the history is to have that.
    func unreadySince(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let ready, ready.has(false, for: Self.recordDelay, at: now) else { return nil }
        return ready.since
    }

    /// Indicates whether it is ready again, so that the history has the end.
    func isReadyAgain(at now: ContinuousClock.Instant) -> Bool {
        ready?.has(true, for: Self.recordDelay, at: now) == true
    }

    /// The time since which it is ready or not; `nil` while that is not known.
    var since: ContinuousClock.Instant? { ready?.since }

    /// Indicates whether the history has something new within the next seconds.
    func isDue(inHistory isUnready: Bool, at now: ContinuousClock.Instant) -> Bool {
        guard let ready, ready.isSo == isUnready else { return false }
        return now - ready.since < Self.recordDelay + .seconds(1)
    }

    /// Indicates whether it is to be told that it is not ready, or is again.
    ///
    /// - Parameter isTold: Indicates whether it was told that it is not ready.
    func isNews(isTold: Bool, at now: ContinuousClock.Instant) -> Bool {
        guard let ready else { return false }
        return isTold
            ? ready.has(true, for: Self.shortestReturn, at: now) : ready.has(false, for: Self.delay, at: now)
    }

    /// Indicates whether that is decided within the next seconds.
    func isDue(isTold: Bool, at now: ContinuousClock.Instant) -> Bool {
        guard let ready, ready.isSo == isTold else { return false }
        return (ready.isSo ? Self.shortestReturn : Self.delay) - (now - ready.since) < Self.soon
    }

    /// Returns the message that it is not ready, or is again.
    func notice(_ facts: GatewayFacts, isTold: Bool, at moment: Moment) -> Notice {
        var notice = Notice(isTold ? .ready : .notReady, [facts.subject], at: moment.time)
        notice.reason = Self.reason(facts.readiness)
        if case .failing(let parts) = facts.readiness { notice.failing = parts }
        if !isTold, let ready { notice.since = moment.time.advanced(by: ready.since - moment.instant) }
        return notice
    }

    /// The reason in our words, without the parts that fail: their names are the gateway's.
    static func reason(_ readiness: Readiness?) -> String? {
        switch readiness {
        case .starting: "it is still starting"
        case .draining: "it is about to end"
        case .failing, .ready, nil: nil
        }
    }
}
