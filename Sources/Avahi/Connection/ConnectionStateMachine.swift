internal import DNSSD

/// The state of the connection to the daemon: it decides when to connect, when to try again, and what to tell
/// meanwhile. A value: no clock, no I/O.
struct ConnectionStateMachine {
    /// An action that shall be carried out.
    enum Action: Hashable {
        /// Open the first client.
        case open
        /// Free every client, and with them every object.
        case close
        /// Tell the sessions.
        case report(DaemonCondition)
    }

    private enum State: Hashable {
        case closed
        /// Trying again at this time.
        case waiting(until: ContinuousClock.Instant)
        /// Connected to the bus.
        case open(DaemonState)
    }

    private var state = State.closed

    /// The next waiting time.
    private var backoff = Self.shortestBackoff

    /// The time since which the daemon has been serving.
    private var upSince: ContinuousClock.Instant?

    static let shortestBackoff = Duration.milliseconds(100)
    static let longestBackoff = Duration.seconds(2)

    /// The time that the daemon must have served for the next failure to count as the first.
    static let steadyAfter = Duration.seconds(10)

    /// The present condition of the daemon.
    private(set) var condition = DaemonCondition.starting

    /// Somebody wants the daemon.
    mutating func start() -> [Action] {
        guard state == .closed else { return [] }
        state = .open(.absent)
        condition = .starting
        return [.open]
    }

    /// Nobody wants it any longer.
    mutating func stop() -> [Action] {
        guard state != .closed else { return [] }
        self = ConnectionStateMachine()
        return [.close]
    }

    /// The first client could be made, or has changed.
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

    /// No client could be made, or one has failed.
    mutating func failed(_ error: BackendError, now: ContinuousClock.Instant) -> [Action] {
        guard case .open = state else { return [] }
        if let upSince, now - upSince >= Self.steadyAfter { backoff = Self.shortestBackoff }
        upSince = nil
        state = .waiting(until: now + backoff)
        backoff = min(backoff * 2, Self.longestBackoff)
        return [.close] + report(.unavailable(error))
    }

    /// The time has come to which ``deadline`` pointed.
    mutating func tick(now: ContinuousClock.Instant) -> [Action] {
        guard case .waiting(let time) = state, time <= now else { return [] }
        state = .open(.absent)
        return [.open]
    }

    /// The time at which ``tick(now:)`` wants to be called.
    var deadline: ContinuousClock.Instant? {
        if case .waiting(let time) = state { time } else { nil }
    }

    private mutating func report(_ condition: DaemonCondition) -> [Action] {
        guard condition != self.condition else { return [] }
        self.condition = condition
        return [.report(condition)]
    }
}
