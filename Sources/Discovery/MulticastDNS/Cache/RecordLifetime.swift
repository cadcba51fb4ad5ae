/// The time for which a record is stored, and the times at which it is asked for again in the meantime.
struct RecordLifetime {
    /// The state of the record, which determines what happens next.
    private enum Plan {
        /// The record is asked for at 80, 85, 90 and 95 % of its TTL (RFC 6762 §5.2); the number is the index of the
        /// next of these.
        case aging(UInt8)

        /// The record is in doubt: it is asked for at once and a second time, and expires after ten seconds (RFC 6762
        /// §10.4).
        case reconfirming(UInt8)

        /// The record's owner withdrew it, or another record replaced it: it expires after a second (RFC 6762 §10.1,
        /// §10.2).
        case leaving
    }

    /// The longest TTL that is accepted: a longer one would only preserve records of services that are gone.
    static let maximumTTL: UInt32 = 86_400

    /// The time at which the record was last received.
    @StoredInstant private(set) var received: ContinuousClock.Instant

    /// The time at which the record expires.
    @StoredInstant private(set) var expiry: ContinuousClock.Instant

    /// The time at which the record is to be asked for, or expires.
    @StoredInstant private(set) var due: ContinuousClock.Instant

    /// The TTL that the record's owner announced, in seconds, at most ``maximumTTL``.
    private let ttl: UInt32
    private var plan: Plan

    /// Creates the lifetime of a record that has just been received.
    init(ttl: UInt32, now: ContinuousClock.Instant, using random: inout some RandomNumberGenerator) {
        let ttl = min(ttl, Self.maximumTTL)
        let expiry = now + .seconds(ttl)
        self.received = now
        self.expiry = expiry
        self.due = expiry
        self.ttl = ttl
        self.plan = .aging(0)
        schedule(using: &random)
    }

    /// Indicates whether the record is about to expire because it was withdrawn or replaced, so that other records of
    /// its set take precedence.
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

    /// Indicates whether less than half of the record's TTL is left, so that it is no longer a known answer (RFC 6762
    /// §7.1).
    func isPastHalf(at now: ContinuousClock.Instant) -> Bool { (expiry - now) * 2 < .seconds(ttl) }

    /// Returns the number of seconds that are left, rounded down, at least 1.
    func secondsLeft(at now: ContinuousClock.Instant) -> UInt32 {
        UInt32(clamping: max(1, (expiry - now).components.seconds))
    }

    /// Lets the record expire in a second, since its owner has withdrawn it or another one replaces it.
    mutating func leave(now: ContinuousClock.Instant) {
        plan = .leaving
        expiry = min(expiry, now + .seconds(1))
        due = expiry
    }

    /// Puts the record in doubt: it is asked for, and expires unless somebody answers.
    mutating func doubt(now: ContinuousClock.Instant, using random: inout some RandomNumberGenerator) {
        guard !isInDoubt else { return }
        plan = .reconfirming(0)
        expiry = min(expiry, now + .seconds(10))
        // A random delay as before any first query, so that hosts that doubt the record at the same time do not ask at
        // the same time (RFC 6762 §5.2).
        due = min(expiry, now + .milliseconds(Int.random(in: 20...120, using: &random)))
    }

    /// Plans the next step after the record has been asked for.
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
