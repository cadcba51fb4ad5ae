/// One search for a session: paths are tried one after the other, and several at once, until one of them leads to a
/// session. A value.
struct SessionRound: Hashable, Sendable {
    /// The time between the beginnings of two attempts (RFC 8305 §5).
    static let interval = Duration.milliseconds(250)

    /// The head start of the paths on this network over the remote ones.
    static let headStart = Duration.milliseconds(1_500)

    /// The head start of all paths over those that lead elsewhere than to the place of the pairing: as long as a gateway
    /// takes to answer after a lost packet (RFC 6298 §2.1), and longer than that over the remote ones.
    static let longHeadStart = Duration.milliseconds(1_750)

    /// The maximum number of attempts at once.
    static let mostAttempts = 4

    /// The age from which an attempt is repeated when something indicates that the gateway may be there: its packets
    /// may have been lost, and are retransmitted at growing intervals (RFC 6298 §5.5).
    static let staleAge = Duration.seconds(1)

    /// A connection that is being opened.
    struct Attempt: Hashable, Sendable {
        let id: AttemptID
        let path: SessionPath
        let began: ContinuousClock.Instant

        /// Indicates whether it has asked for a session.
        var isAuthenticating = false
    }

    /// A path that is to be tried.
    struct Plan: Hashable, Sendable {
        let path: SessionPath
        let due: ContinuousClock.Instant
    }

    /// The paths that are still to be tried, the earliest first.
    private(set) var plans: [Plan]

    /// The connections that are being opened.
    private(set) var attempts: [Attempt] = []

    /// - Parameters:
    ///   - paths: The paths; those of the same rank are tried in this order.
    ///   - now: The present.
    init(_ paths: [SessionPath], now: ContinuousClock.Instant) {
        let ranks = Dictionary(grouping: paths, by: \.rank)
        let first = ranks.keys.min()
        plans = ranks.flatMap { rank, paths in
            let start = rank == first ? now : now + Self.headStart(over: rank)
            return paths.enumerated().map { Plan(path: $1, due: start + Self.interval * $0) }
        }
        plans.sort { ($0.due, $0.path.rank) < ($1.due, $1.path.rank) }
    }

    /// Returns the head start of the paths of lower ranks over those of this one.
    private static func headStart(over rank: SessionPath.Rank) -> Duration {
        switch rank {
        case .local: .zero
        case .remote: headStart
        case .elsewhere: longHeadStart
        }
    }

    /// Indicates whether nothing is left to try.
    var isOver: Bool { plans.isEmpty && attempts.isEmpty }

    /// Indicates whether a session has been asked for.
    var isAuthenticating: Bool { attempts.contains(where: \.isAuthenticating) }

    /// The time at which the next path is tried; `nil` when there is none, when a session has been asked for, or while
    /// the maximum number of attempts is under way.
    var due: ContinuousClock.Instant? {
        guard !isAuthenticating, attempts.count < Self.mostAttempts else { return nil }
        return plans.first?.due
    }

    /// The attempt with this number.
    subscript(id: AttemptID) -> Attempt? { attempts.first { $0.id == id } }

    /// Removes and returns the next path that is due; without any attempt under way, the next one even before its time.
    mutating func takeDue(now: ContinuousClock.Instant) -> SessionPath? {
        guard let due else { return nil }
        guard due <= now || attempts.isEmpty else { return nil }
        return plans.removeFirst().path
    }

    /// Records the start of an attempt.
    mutating func begin(_ id: AttemptID, _ path: SessionPath, now: ContinuousClock.Instant) {
        attempts.append(Attempt(id: id, path: path, began: now))
    }

    /// Records that an attempt asks for the session: it is the only one from now on.
    ///
    /// - Returns: The other attempts, which are to be closed.
    mutating func authenticate(_ id: AttemptID) -> [AttemptID] {
        let others = attempts.map(\.id).filter { $0 != id }
        attempts.removeAll { $0.id != id }
        for index in attempts.indices { attempts[index].isAuthenticating = true }
        plans = []
        return others
    }

    /// Records that an attempt has failed.
    mutating func end(_ id: AttemptID) { attempts.removeAll { $0.id == id } }

    /// Adds paths that have become known, before those that have not had their turn. Paths that lead elsewhere stay
    /// behind all others.
    mutating func add(_ paths: [SessionPath], now: ContinuousClock.Instant) {
        let known = Set(plans.map(\.path) + attempts.map(\.path))
        let new = paths.filter { !known.contains($0) }
        let elsewhere = plans.filter { $0.path.isElsewhere }
        plans = new.filter { !$0.isElsewhere }.map { Plan(path: $0, due: now) } + plans.filter { !$0.path.isElsewhere }
        let due = isOver ? now : now + Self.longHeadStart
        plans += elsewhere + new.filter(\.isElsewhere).map { Plan(path: $0, due: due) }
    }

    /// Gives up all paths except those that the closure accepts.
    ///
    /// - Returns: The attempts that are to be closed.
    mutating func keep(_ isKept: (SessionPath) -> Bool) -> [AttemptID] {
        plans.removeAll { !isKept($0.path) }
        let others = attempts.filter { !isKept($0.path) }
        attempts.removeAll { others.contains($0) }
        return others.map(\.id)
    }

    /// Gives up the attempts that are old, and plans them again, after the paths that have not had their turn.
    ///
    /// - Returns: The attempts that are to be closed.
    mutating func renewStale(now: ContinuousClock.Instant) -> [AttemptID] {
        guard !isAuthenticating else { return [] }
        let stale = attempts.filter { now - $0.began >= Self.staleAge }
        attempts.removeAll { stale.contains($0) }
        let behind = plans.filter { $0.path.isElsewhere }
        plans.removeAll { $0.path.isElsewhere }
        plans += stale.filter { !$0.path.isElsewhere }.map { Plan(path: $0.path, due: now) } + behind
        plans += stale.filter { $0.path.isElsewhere }.map { Plan(path: $0.path, due: now) }
        return stale.map(\.id)
    }
}
