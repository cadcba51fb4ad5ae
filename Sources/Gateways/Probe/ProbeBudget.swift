public import DNSSD

/// How many connections may be made to strangers, so that a forger who advertises a thousand services cannot aim us at one
/// victim.
///
/// A value: it is told when work begins and ends, and the time; it says whether, and when, the next may begin. A ladder may
/// open several connections one after the other, so that the most it can need is set aside at its start, and what it did not
/// use comes back at its end. In no sixty seconds more than ``perMinute`` connections reach one address.
public struct ProbeBudget: Sendable {
    /// What to do with a piece of work.
    public enum Verdict: Hashable, Sendable {
        /// It may begin, and has been counted.
        case begin

        /// Not before another ends: one to this address, or any when it is `nil`.
        case afterAnother(IPAddress?)

        /// Not before this instant, when enough connections are a minute old.
        case after(ContinuousClock.Instant)
    }

    /// Connections that were made.
    private struct Spending {
        let time: ContinuousClock.Instant
        let connections: Int
    }

    /// What is known about one address.
    private struct Account {
        var running = 0
        var reserved = 0
        var spent: [Spending] = []

        var isBlank: Bool { running == 0 && reserved == 0 && spent.isEmpty }

        var total: Int { spent.reduce(0) { $0 + $1.connections } }

        mutating func forgetOld(_ now: ContinuousClock.Instant) {
            spent.removeAll { $0.time + ProbeBudget.window <= now }
        }

        /// When so many of what was spent are old enough.
        func time(freeing wanted: Int) -> ContinuousClock.Instant? {
            var freed = 0
            for spending in spent {
                freed += spending.connections
                if freed >= wanted { return spending.time + ProbeBudget.window }
            }
            return nil
        }
    }

    private static let window = Duration.seconds(60)

    /// The most sockets at once.
    public let total: Int

    /// The most pieces of work at once at one address.
    public let perAddress: Int

    /// The most connections to one address in any sixty seconds.
    public let perMinute: Int

    private var accounts: [IPAddress: Account] = [:]

    /// Past how many accounts those are looked for that tell nothing any more, and when that was done last.
    private var tidyAbove = Self.fewAccounts
    private var tidied: ContinuousClock.Instant?

    /// As many may stand about.
    private static let fewAccounts = 1_024
    private var sockets = 0

    /// - Parameters:
    ///   - total: 32.
    ///   - perAddress: 8.
    ///   - perMinute: 60.
    public init(total: Int = 32, perAddress: Int = 8, perMinute: Int = 60) {
        self.total = max(total, 1)
        self.perAddress = max(perAddress, 1)
        self.perMinute = max(perMinute, 1)
    }

    /// Whether a piece of work may begin now; if so, it is counted until ``end(_:reserved:used:at:)``.
    ///
    /// - Parameters:
    ///   - addresses: Where it may connect to; one socket at once is counted for each.
    ///   - connections: The most that it may open to each of them, 1 or more.
    ///   - kept: How many connections a minute it leaves for others.
    public mutating func begin(
        _ addresses: [IPAddress],
        connections: Int = 1,
        keeping kept: Int = 0,
        at now: ContinuousClock.Instant
    ) -> Verdict {
        let keys = Self.keys(addresses)
        let connections = min(max(connections, 1), perMinute)
        let most = max(perMinute - kept, connections)
        for key in keys {
            accounts[key]?.forgetOld(now)
            guard let account = accounts[key] else { continue }
            let missing = account.total + account.reserved + connections - most
            if missing > 0 {
                if missing <= account.reserved { return .afterAnother(key) }
                return account.time(freeing: missing - account.reserved).map(Verdict.after) ?? .afterAnother(key)
            }
            if account.running >= perAddress { return .afterAnother(key) }
        }
        // One that alone needs more than there are must not wait for ever.
        guard sockets + keys.count <= total || sockets == 0 else { return .afterAnother(nil) }
        for key in keys {
            accounts[key, default: Account()].running += 1
            accounts[key]?.reserved += connections
        }
        sockets += keys.count
        return .begin
    }

    /// A piece of work that was begun has ended.
    ///
    /// - Parameters:
    ///   - addresses: As at its beginning.
    ///   - connections: What was set aside for each address at its beginning.
    ///   - used: How many connections it made to each address.
    public mutating func end(
        _ addresses: [IPAddress],
        reserved connections: Int = 1,
        used: [IPAddress: Int],
        at now: ContinuousClock.Instant
    ) {
        let connections = min(max(connections, 1), perMinute)
        var made: [IPAddress: Int] = [:]
        for (address, count) in used { made[address.unmapped, default: 0] += count }
        for key in Self.keys(addresses) {
            guard var account = accounts[key], account.running > 0 else { continue }
            account.running -= 1
            account.reserved -= connections
            if let count = made[key], count > 0 { account.spent.append(Spending(time: now, connections: count)) }
            account.forgetOld(now)
            accounts[key] = account.isBlank ? nil : account
            sockets -= 1
        }
        forgetOld(at: now)
    }

    /// Whether one more connection may be made to what is known already; if so, it is counted, by the minute alone.
    public mutating func spend(_ address: IPAddress, at now: ContinuousClock.Instant) -> Bool {
        let key = address.unmapped
        var account = accounts[key] ?? Account()
        account.forgetOld(now)
        guard account.total + account.reserved < perMinute else { return false }
        account.spent.append(Spending(time: now, connections: 1))
        accounts[key] = account
        return true
    }

    /// How many addresses are remembered.
    var remembered: Int { accounts.count }

    /// Two spellings of one address are one victim.
    private static func keys(_ addresses: [IPAddress]) -> Set<IPAddress> { Set(addresses.map(\.unmapped)) }

    /// Looked for when there are twice as many as the last time left, or all of those are old: what one piece of work costs
    /// does not grow with them.
    private mutating func forgetOld(at now: ContinuousClock.Instant) {
        guard accounts.count > Self.fewAccounts else { return }
        let isOver = tidied.map { $0 + Self.window <= now } ?? true
        guard isOver || accounts.count > tidyAbove else { return }
        tidied = now
        for key in Array(accounts.keys) {
            accounts[key]?.forgetOld(now)
            if accounts[key]?.isBlank == true { accounts[key] = nil }
        }
        tidyAbove = max(Self.fewAccounts, 2 * accounts.count)
    }
}
