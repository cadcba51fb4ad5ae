public import DNSSD

/// How many gateway probes may run, so that a forger who advertises a thousand services cannot aim us at one victim.
///
/// A value: it is told when probes begin and end, and the time; it says whether, and when, the next may begin. One probe
/// counts as one, although its ladder may open several connections one after the other; so ask for as many as it may take.
public struct ProbeBudget: Sendable {
    /// What to do with a probe.
    public enum Verdict: Hashable, Sendable {
        /// It may begin, and has been counted.
        case begin

        /// Not before another ends.
        case afterAnother

        /// Not before this instant, when the address has enough in its bucket.
        case after(ContinuousClock.Instant)
    }

    /// What is known about one address.
    private struct Account {
        var running = 0
        var tokens: Double
        var counted: ContinuousClock.Instant
    }

    /// The most probes at once.
    public let total: Int

    /// The most probes at once to one address.
    public let perAddress: Int

    /// The most probes that an address may get at a stretch; one a second comes back.
    public let bucket: Int

    private var accounts: [IPAddress: Account] = [:]
    private var running = 0

    /// - Parameters:
    ///   - total: 32.
    ///   - perAddress: 8.
    ///   - bucket: 60.
    public init(total: Int = 32, perAddress: Int = 8, bucket: Int = 60) {
        self.total = max(total, 1)
        self.perAddress = max(perAddress, 1)
        self.bucket = max(bucket, 1)
    }

    /// Whether a probe of this address may begin now; if so, it is counted until ``end(_:at:)``.
    public mutating func begin(_ address: IPAddress, at now: ContinuousClock.Instant) -> Verdict {
        // Two spellings of one address are one victim.
        let key = address.unmapped
        var account = refilled(key, at: now)
        guard account.tokens >= 1 else {
            accounts[key] = account
            return .after(now + .milliseconds(Int(((1 - account.tokens) * 1_000).rounded(.up))))
        }
        guard running < total, account.running < perAddress else { return .afterAnother }
        account.tokens -= 1
        account.running += 1
        accounts[key] = account
        running += 1
        return .begin
    }

    /// A probe that was begun has ended.
    public mutating func end(_ address: IPAddress, at now: ContinuousClock.Instant) {
        let key = address.unmapped
        guard var account = accounts[key], account.running > 0 else { return }
        account.running -= 1
        accounts[key] = account
        running -= 1
        forgetTheFull(at: now)
    }

    /// How many addresses are remembered.
    var remembered: Int { accounts.count }

    private func refilled(_ key: IPAddress, at now: ContinuousClock.Instant) -> Account {
        guard var account = accounts[key] else { return Account(tokens: Double(bucket), counted: now) }
        let passed = (now - account.counted).components
        let seconds = Double(passed.seconds) + Double(passed.attoseconds) / 1e18
        account.tokens = min(Double(bucket), account.tokens + max(seconds, 0))
        account.counted = max(now, account.counted)
        return account
    }

    /// An address with a full bucket is like one that was never seen. Looked for only when there are many, and then
    /// only as often as there are probes.
    private mutating func forgetTheFull(at now: ContinuousClock.Instant) {
        guard accounts.count > 1_024 else { return }
        for key in accounts.keys {
            let account = refilled(key, at: now)
            if account.running == 0, account.tokens >= Double(bucket) { accounts[key] = nil }
        }
    }
}
