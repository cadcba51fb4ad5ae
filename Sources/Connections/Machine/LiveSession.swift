internal import GatewayProtocol

/// A session that is established, and how long it has been silent. A value.
struct LiveSession: Hashable, Sendable {
    /// The time between two questions for a sign of life, while somebody watches and while nobody does.
    static let watchedInterval = Duration.seconds(2)
    static let interval = Duration.seconds(30)

    /// The most questions a second, for all sessions that somebody watches.
    static let questionsPerSecond = 20

    /// The time in which a question is answered by one who lives.
    static let patience = Duration.seconds(5)

    /// The same when the gateway was sighted elsewhere, or this host was asleep or without a network: then the session has
    /// probably ended. Twice the round-trip time of a slow link.
    static let doubt = Duration.milliseconds(500)

    /// The time without an answer after which the session is given up.
    static let longestSilence = Duration.seconds(10)

    /// The age from which on it counts as having been a session, so that the next attempt needs no back-off.
    static let stableAge = Duration.seconds(10)

    /// The time after which the way on this network is tried again, while the session goes another way; doubled each time.
    static let firstReturn = Duration.seconds(5)
    static let longestReturn = Duration.seconds(60)

    let id: AttemptID
    let path: SessionPath
    let began: ContinuousClock.Instant

    /// The time between two ticks that the gateway has promised.
    let tick: Duration?

    /// The last sign of life.
    private(set) var heard: ContinuousClock.Instant

    /// The time of the first question that has not been answered.
    private(set) var unanswered: ContinuousClock.Instant?

    /// The time of the last question.
    private var asked: ContinuousClock.Instant

    /// Indicates whether it is doubted.
    private(set) var isSuspect = false

    /// Indicates whether signs of life are not heard since nobody takes what comes.
    var isCongested = false

    private var patience = Self.patience

    /// The time at which it is doubted, since something has changed too soon after something else did.
    private(set) var doubtDue: ContinuousClock.Instant?

    /// The word of the gateway, to a search for another session in its place, that none is to be asked for.
    struct Bar: Hashable, Sendable {
        let refusal: SessionRefusal

        /// The end of it; `nil` where that is another credential, or the user's word.
        var until: ContinuousClock.Instant?
    }

    var bar: Bar?

    /// A search for another session in its place: on a better way, or since this one is doubted.
    var successor: SessionRound?

    /// The time at which a better way is looked for.
    var returnDue: ContinuousClock.Instant?
    private var returnInterval = Self.firstReturn

    init(_ id: AttemptID, _ path: SessionPath, tick: Duration?, now: ContinuousClock.Instant) {
        self.id = id
        self.path = path
        self.began = now
        self.tick = tick
        self.heard = now
        self.asked = now
    }

    /// Indicates whether it has lasted.
    func isStable(at now: ContinuousClock.Instant) -> Bool { now - began >= Self.stableAge }

    // MARK: Signs of life

    /// Notes a sign of life.
    ///
    /// - Returns: Whether it was doubted.
    mutating func hear(now: ContinuousClock.Instant) -> Bool {
        heard = now
        unanswered = nil
        doubtDue = nil
        patience = Self.patience
        defer { isSuspect = false }
        return isSuspect
    }

    /// Notes a question.
    mutating func ask(now: ContinuousClock.Instant) {
        asked = now
        unanswered = unanswered ?? now
    }

    /// Doubts it sooner than usual, until the next sign of life.
    mutating func doubt() { patience = Self.doubt }

    /// Doubts it later.
    mutating func postponeDoubt(to time: ContinuousClock.Instant) { doubtDue = min(doubtDue ?? time, time) }

    /// Indicates whether it is to be doubted now that this was put off; it is once.
    mutating func takeDoubt(now: ContinuousClock.Instant) -> Bool {
        guard let due = doubtDue, due <= now else { return false }
        doubtDue = nil
        return true
    }

    /// Notes that it is doubted.
    mutating func suspect() { isSuspect = true }

    /// The time of the next question.
    ///
    /// - Parameter count: The number of sessions that somebody watches; 0 while nobody does.
    func pingDue(watched count: Int) -> ContinuousClock.Instant? {
        isCongested ? nil : max(heard, asked) + Self.pingInterval(watched: count)
    }

    private static func pingInterval(watched count: Int) -> Duration {
        guard count > 0 else { return interval }
        return min(max(.seconds(count) / questionsPerSecond, watchedInterval), interval)
    }

    /// The time by which a question may come early, so that many sessions are asked at once: each time that a process wakes up for
    /// costs it more than what it then asks.
    static func pingLeeway(watched count: Int) -> Duration { pingInterval(watched: count) / 50 }

    /// The time from which on it is doubted.
    var suspectDue: ContinuousClock.Instant? {
        guard !isCongested, !isSuspect, let unanswered else { return nil }
        return unanswered + patience
    }

    /// The time at which it is given up: when no question has been answered for long, or two ticks have not come.
    var silentDue: ContinuousClock.Instant? {
        guard !isCongested else { return nil }
        let unanswered = unanswered.map { $0 + Self.longestSilence }
        let ticks = tick.map { heard + $0 * 2 }
        return [unanswered, ticks].compactMap(\.self).min()
    }

    // MARK: A better way

    /// The bar that stands now.
    func bar(at now: ContinuousClock.Instant) -> Bar? {
        bar.flatMap { bar in bar.until.map { $0 <= now } == true ? nil : bar }
    }

    /// Looks for a better way later, each time later.
    mutating func postponeReturn(now: ContinuousClock.Instant) {
        returnDue = permitted(now + returnInterval)
        returnInterval = min(returnInterval * 2, Self.longestReturn)
    }

    /// Looks for a better way at once, since there may be one.
    mutating func hastenReturn(to time: ContinuousClock.Instant) {
        returnInterval = Self.firstReturn
        returnDue = permitted(min(returnDue ?? time, time))
    }

    /// The time at which the gateway may be asked again that is to be at another one; `nil` where that is never.
    private func permitted(_ time: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let bar else { return time }
        return bar.until.map { max($0, time) }
    }
}
