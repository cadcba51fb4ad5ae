/// The times at which something is due in the sessions, which wait for a next attempt, and how they begin after sleep or a
/// loss of the network. A value.
///
/// Whoever looks at the clock finds out what is due next in all sessions, of which there may be thousands.
struct SessionSchedule {
    /// The time at which something is due in each session.
    private(set) var deadlines: [CredentialID: ContinuousClock.Instant] = [:]

    /// The credentials whose sessions wait for the next attempt.
    private(set) var waiting: Set<CredentialID> = []

    /// The time of the next look at the clock.
    private var nextLook: ContinuousClock.Instant?

    /// Indicates whether due events are being handled: the next look at the clock is scheduled after all of them.
    private var isLooking = false

    var sleepDetector = SleepDetector()
    var spreading = WakeUpSpreading()

    init() {}

    /// The time at which something is due next.
    var next: ContinuousClock.Instant? { deadlines.values.min() }

    /// Takes in when something is due in a session, and whether it waits for its next attempt.
    mutating func set(_ deadline: ContinuousClock.Instant?, isWaiting: Bool, of credential: CredentialID) {
        deadlines[credential] = deadline
        if isWaiting { waiting.insert(credential) } else { waiting.remove(credential) }
    }

    /// Forgets a session.
    mutating func remove(_ credential: CredentialID) { set(nil, isWaiting: false, of: credential) }

    /// Schedules a look at the clock.
    ///
    /// - Returns: `false` if one is scheduled before, or is under way.
    mutating func look(at time: ContinuousClock.Instant) -> Bool {
        guard !isLooking else { return false }
        if let nextLook, nextLook <= time { return false }
        nextLook = time
        return true
    }

    /// Begins a look at the clock.
    ///
    /// - Returns: `false` if another look has taken the place of this one.
    mutating func beginLook(at time: ContinuousClock.Instant) -> Bool {
        guard nextLook == time else { return false }
        nextLook = nil
        return true
    }

    /// Begins to handle what is due, and returns the sessions in which something is.
    mutating func beginHandling(until time: ContinuousClock.Instant) -> [CredentialID] {
        isLooking = true
        return deadlines.filter { $0.value <= time }.map(\.key)
    }

    /// Records that all that was due is handled.
    mutating func endHandling() { isLooking = false }

    /// Forgets the next look at the clock, since the run has ended.
    mutating func end() { nextLook = nil }
}
