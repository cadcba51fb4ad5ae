/// The time for which a record is kept, and the times at which it is asked for again meanwhile.
struct RecordLifetime {
    /// The state of the record, which decides what comes next.
    private enum Plan {
        /// It is asked for at 80, 85, 90 and 95 % of its time (RFC 6762 §5.2); which of these comes next.
        case aging(UInt8)

        /// It is in doubt: asked for at once and a second time, and gone after ten seconds (RFC 6762 §10.4).
        case reconfirming(UInt8)

        /// Its owner took it back, or another record replaced it: gone after a second (RFC 6762 §10.1, §10.2).
        case leaving
    }

    /// The longest time that is believed: what is longer only keeps what is gone.
    static let maximumTTL: UInt32 = 86_400

    /// The time at which the record was last heard.
    private(set) var received: ContinuousClock.Instant

    /// The time at which the record is gone.
    private(set) var expiry: ContinuousClock.Instant

    /// The time at which the record is to be asked for, or is gone.
    private(set) var due: ContinuousClock.Instant

    /// The TTL that the record's owner announced, in seconds, at most ``maximumTTL``.
    private let ttl: UInt32
    private var plan: Plan

    /// The lifetime of a record that has just been heard.
    init(ttl: UInt32, now: ContinuousClock.Instant, using random: inout some RandomNumberGenerator) {
        let ttl = min(ttl, Self.maximumTTL)
        self.received = now
        self.expiry = now + .seconds(ttl)
        self.due = expiry
        self.ttl = ttl
        self.plan = .aging(0)
        schedule(using: &random)
    }

    /// Indicates whether the record is on its way out, so that another record of its set counts more.
    var isLeaving: Bool {
        switch plan {
        case .leaving: true
        case .aging, .reconfirming: false
        }
    }

    /// Indicates whether the record is in doubt already.
    var isInDoubt: Bool {
        switch plan {
        case .reconfirming, .leaving: true
        case .aging: false
        }
    }

    /// Indicates whether less than half of the record's time is left: then it is no known answer (RFC 6762 §7.1).
    func isPastHalf(at now: ContinuousClock.Instant) -> Bool { (expiry - now) * 2 < .seconds(ttl) }

    /// Returns the number of seconds that are left, rounded down, at least 1.
    func secondsLeft(at now: ContinuousClock.Instant) -> UInt32 {
        UInt32(clamping: max(1, (expiry - now).components.seconds))
    }

    /// Its owner took it back, or another one replaces it.
    mutating func leave(now: ContinuousClock.Instant) {
        plan = .leaving
        expiry = min(expiry, now + .seconds(1))
        due = expiry
    }

    /// There is reason to doubt it: it is asked for, and gone unless somebody answers.
    mutating func doubt(now: ContinuousClock.Instant, using random: inout some RandomNumberGenerator) {
        guard !isInDoubt else { return }
        plan = .reconfirming(0)
        expiry = min(expiry, now + .seconds(10))
        // As before any first query, so that all who doubt it at once do not ask at once (RFC 6762 §5.2).
        due = min(expiry, now + .milliseconds(Int.random(in: 20...120, using: &random)))
    }

    /// It has been asked for: plans the next time.
    mutating func advance(using random: inout some RandomNumberGenerator) {
        switch plan {
        case .aging(let step):
            plan = .aging(step + 1)
            schedule(using: &random)
        case .reconfirming(0):
            plan = .reconfirming(1)
            due = min(expiry, due + .seconds(3))
        case .reconfirming, .leaving:
            due = expiry
        }
    }

    private mutating func schedule(using random: inout some RandomNumberGenerator) {
        guard case .aging(let step) = plan, step < 4 else {
            due = expiry
            return
        }
        let percent = 80 + 5 * Double(step) + Double.random(in: 0...2, using: &random)
        due = received + .seconds(ttl) * (percent / 100)
    }
}
