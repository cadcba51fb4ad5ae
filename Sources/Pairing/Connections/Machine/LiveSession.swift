internal import GatewayProtocol

/// An established session, and how long it has been silent. A value.
struct LiveSession: Hashable, Sendable {
    /// The time between two pings, while somebody watches and while nobody does.
    static let watchedInterval = Duration.seconds(2)
    static let interval = Duration.seconds(30)

    /// The maximum number of pings per second, for all sessions that somebody watches.
    static let questionsPerSecond = 20

    /// The time in which a live gateway answers a ping.
    static let answerTimeout = Duration.seconds(5)

    /// The time in which a ping must be answered after the gateway was sighted elsewhere, or this host was asleep or
    /// without a network: then the session has probably ended. Twice the round-trip time of a slow link.
    static let shortAnswerTimeout = Duration.milliseconds(500)

    /// The time without an answer after which the session is given up, in every dialect: the map takes an endpoint for dead
    /// after about the same time, and no view may call a session there connected.
    static let longestSilence = Duration.seconds(10)

    /// The age from which a session counts as stable, so that the next attempt needs no back-off.
    static let stableAge = Duration.seconds(10)

    /// The time after which the paths on this network are tried again while the session has another one; doubled each
    /// time.
    static let firstReturn = Duration.seconds(5)
    static let longestReturn = Duration.seconds(60)

    let id: AttemptID
    let path: SessionPath
    let began: ContinuousClock.Instant

    /// The time between two ticks that the gateway has promised.
    let tick: Duration?

    /// The last sign of life.
    private(set) var lastSignOfLife: ContinuousClock.Instant

    /// The time of the first ping that has not been answered.
    private(set) var unanswered: ContinuousClock.Instant?

    /// The time of the last ping.
    private var asked: ContinuousClock.Instant

    /// Indicates whether the session is suspect: a ping was not answered in time.
    private(set) var isSuspect = false

    /// Indicates whether signs of life go unnoticed, because nobody takes the messages that come.
    var isCongested = false

    private var answerTimeout = Self.answerTimeout

    /// The time at which the session is to be woken, because of a change that came too soon after another one.
    private(set) var wakeDue: ContinuousClock.Instant?

    /// The refusal by which the gateway has answered a search for a successor: none is to be asked for.
    struct Ban: Hashable, Sendable {
        let refusal: SessionRefusal

        /// The end of the ban; `nil` if only another credential or the user ends it.
        var until: ContinuousClock.Instant?
    }

    var ban: Ban?

    /// A search for another session in its place: on a better path, or because this one is suspect.
    var successor: SessionRound?

    /// The time at which a better path is looked for.
    var returnDue: ContinuousClock.Instant?
    private var returnInterval = Self.firstReturn

    init(
        _ id: AttemptID,
        _ path: SessionPath,
        tick: Duration?,
        now: ContinuousClock.Instant
    ) {
        self.id = id
        self.path = path
        self.began = now
        self.tick = tick
        self.lastSignOfLife = now
        self.asked = now
    }

    /// Indicates whether the session has lasted long enough to count as stable.
    func isStable(at now: ContinuousClock.Instant) -> Bool { now - began >= Self.stableAge }

    // MARK: Signs of life

    /// Records a sign of life.
    ///
    /// - Returns: `true` if the session was suspect.
    mutating func noteSignOfLife(now: ContinuousClock.Instant) -> Bool {
        lastSignOfLife = now
        unanswered = nil
        wakeDue = nil
        answerTimeout = Self.answerTimeout
        defer { isSuspect = false }
        return isSuspect
    }

    /// Records a ping.
    mutating func ask(now: ContinuousClock.Instant) {
        asked = now
        unanswered = unanswered ?? now
    }

    /// Makes the session suspect sooner than usual, until the next sign of life.
    mutating func shortenAnswerTimeout() { answerTimeout = Self.shortAnswerTimeout }

    /// Plans to wake the session later.
    mutating func postponeWake(to time: ContinuousClock.Instant) { wakeDue = min(wakeDue ?? time, time) }

    /// Returns whether a postponed wake-up is due, and clears it.
    mutating func takeWake(now: ContinuousClock.Instant) -> Bool {
        guard let due = wakeDue, due <= now else { return false }
        wakeDue = nil
        return true
    }

    /// Records that the session is suspect.
    mutating func suspect() { isSuspect = true }

    /// Returns the time of the next ping.
    ///
    /// - Parameter count: The number of sessions that somebody watches; 0 while nobody does.
    func pingDue(watched count: Int) -> ContinuousClock.Instant? {
        isCongested ? nil : max(lastSignOfLife, asked) + Self.pingInterval(watched: count)
    }

    private static func pingInterval(watched count: Int) -> Duration {
        guard count > 0 else { return interval }
        return min(max(.seconds(count) / questionsPerSecond, watchedInterval), interval)
    }

    /// Returns the time by which a ping may come early, so that many sessions are pinged together: each wake-up of the
    /// process costs more than the pings that it then sends.
    static func pingLeeway(watched count: Int) -> Duration { pingInterval(watched: count) / 50 }

    /// Returns the time from which the session is suspect. While somebody watches, its silence counts from the last sign
    /// of life: as with checks, two unanswered pings make it suspect.
    func suspectDue(watched count: Int) -> ContinuousClock.Instant? {
        guard !isCongested, !isSuspect else { return nil }
        return due(after: answerTimeout, pings: 2, watched: count)
    }

    /// Returns the time at which the session is given up: when no ping has been answered for long, while somebody watches
    /// not four of them, or when two ticks have not come.
    func silentDue(watched count: Int) -> ContinuousClock.Instant? {
        guard !isCongested else { return nil }
        let ticks = tick.map { lastSignOfLife + $0 * 2 }
        return [due(after: Self.longestSilence, pings: 4, watched: count), ticks].compactMap(\.self).min()
    }

    /// Returns the end of a time since the first unanswered ping, or, if that is earlier and somebody watches, of so many
    /// intervals of pings since the last sign of life. Of the silence before that ping, at most one interval counts: nobody
    /// asked then.
    private func due(after timeout: Duration, pings: Int, watched count: Int) -> ContinuousClock.Instant? {
        guard let unanswered else { return nil }
        let due = unanswered + timeout
        guard count > 0 else { return due }
        let interval = Self.pingInterval(watched: count)
        let silentSince = max(lastSignOfLife, unanswered - interval)
        return min(due, silentSince + interval * pings)
    }

    // MARK: A better path

    /// Returns the ban, if it still stands.
    func ban(at now: ContinuousClock.Instant) -> Ban? {
        ban.flatMap { ban in ban.until.map { $0 <= now } == true ? nil : ban }
    }

    /// Plans the next search for a better path, each time after a longer interval.
    mutating func postponeReturn(now: ContinuousClock.Instant) {
        returnDue = permitted(now + returnInterval)
        returnInterval = min(returnInterval * 2, Self.longestReturn)
    }

    /// Plans a search for a better path by this time, since there may be one.
    mutating func hastenReturn(to time: ContinuousClock.Instant) {
        returnInterval = Self.firstReturn
        returnDue = permitted(min(returnDue ?? time, time))
    }

    /// Returns a time at which the gateway may be asked for another session, not before the end of the ban; `nil` if
    /// the ban has no end.
    private func permitted(_ time: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let ban else { return time }
        return ban.until.map { max($0, time) }
    }
}
