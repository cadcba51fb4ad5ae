internal import DNSSD

/// The state of the connection to the daemon: it decides when to connect, when to try again, and what to report
/// meanwhile. A value: no clock, no I/O.
struct ConnectionStateMachine {
    /// An action that the state machine asks for.
    enum Action: Hashable {
        /// Open the first client.
        case open
        /// Free every client, and with them every object.
        case close
        /// Report the condition to the sessions.
        case report(DaemonCondition)
    }

    private enum State: Hashable {
        case closed
        /// The next attempt is made at this time.
        case waiting(until: ContinuousClock.Instant)
        /// Connected to the bus.
        case open(DaemonState)
    }

    private var state = State.closed

    /// The back-off after the next failure.
    private var backoff = Self.shortestBackoff

    /// The time since which the daemon has been serving.
    private var upSince: ContinuousClock.Instant?

    static let shortestBackoff = Duration.milliseconds(100)
    static let longestBackoff = Duration.seconds(2)

    /// The time for which the daemon must have served for the back-off to start over at the next failure.
    static let steadyAfter = Duration.seconds(10)

    /// The present condition of the daemon.
    private(set) var condition = DaemonCondition.starting

    /// Connects, since there is a session.
    mutating func start() -> [Action] {
        guard state == .closed else { return [] }
        state = .open(.absent)
        condition = .starting
        return [.open]
    }

    /// Closes the connection, since there is no session any longer.
    mutating func stop() -> [Action] {
        guard state != .closed else { return [] }
        self = ConnectionStateMachine()
        return [.close]
    }

    /// Handles the state of the first client when it has been made or has changed.
    mutating func changed(to daemon: DaemonState, now: ContinuousClock.Instant) -> [Action] {
        guard case .open = state else { return [] }
        switch daemon {
        case .failed:
            return failed(.noDaemon, now: now)
        case .absent:
            state = .open(.absent)
            return report(.unavailable(.noDaemon))
        case .unsettled:
            state = .open(.unsettled)
            if upSince == nil { upSince = now }
            return report(.up(isSettled: false))
        case .running:
            state = .open(.running)
            if upSince == nil { upSince = now }
            return report(.up(isSettled: true))
        }
    }

    /// Handles the failure of a client, or of the attempt to make one.
    mutating func failed(_ error: BackendError, now: ContinuousClock.Instant) -> [Action] {
        guard case .open = state else { return [] }
        if let upSince, now - upSince >= Self.steadyAfter { backoff = Self.shortestBackoff }
        upSince = nil
        state = .waiting(until: now + backoff)
        backoff = min(backoff * 2, Self.longestBackoff)
        return [.close] + report(.unavailable(error))
    }

    /// Does what is due at ``deadline``.
    mutating func tick(now: ContinuousClock.Instant) -> [Action] {
        guard case .waiting(let time) = state, time <= now else { return [] }
        state = .open(.absent)
        return [.open]
    }

    /// The time at which ``tick(now:)`` must be called next.
    var deadline: ContinuousClock.Instant? {
        if case .waiting(let time) = state { time } else { nil }
    }

    private mutating func report(_ condition: DaemonCondition) -> [Action] {
        guard condition != self.condition else { return [] }
        self.condition = condition
        return [.report(condition)]
    }
}
