internal import DNSSD

/// A limit on the connections that may be made in any minute. What a probe can need at most is set aside at its start,
/// and what it did not use comes back at its end.
struct ConnectionPool: Hashable, Sendable {
    static let window = Duration.seconds(60)

    private struct Spending: Hashable {
        let time: ContinuousClock.Instant
        let connections: Int
    }

    /// The most connections in any ``window``.
    let limit: Int

    private var reserved = 0
    private var spent: [Spending] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// Indicates whether no connection was made of late, and none is set aside.
    var isBlank: Bool { reserved == 0 && spent.isEmpty }

    /// Sets connections aside.
    ///
    /// - Returns: `false` when there are not so many.
    mutating func reserve(_ connections: Int, at now: ContinuousClock.Instant) -> Bool {
        forgetOld(now)
        guard total + reserved + connections <= limit else { return false }
        reserved += connections
        return true
    }

    /// Gives back what was set aside, and counts what was used of it.
    mutating func settle(_ connections: Int, used: Int, at now: ContinuousClock.Instant) {
        reserved = max(reserved - connections, 0)
        if used > 0 { spent.append(Spending(time: now, connections: used)) }
        forgetOld(now)
    }

    /// Returns the time at which so many connections can be set aside, if none that is set aside now comes back; `nil`
    /// when only those that come back can make room.
    func time(for connections: Int) -> ContinuousClock.Instant? {
        var missing = total + reserved + connections - limit
        for spending in spent {
            missing -= spending.connections
            if missing <= 0 { return spending.time + Self.window }
        }
        return nil
    }

    private var total: Int { spent.reduce(0) { $0 + $1.connections } }

    mutating func forgetOld(_ now: ContinuousClock.Instant) {
        spent.removeAll { $0.time + Self.window <= now }
    }
}

/// The addresses that count as one where connections are counted: an IPv4 address, a link-local IPv6 address on its link, or
/// the /64 of any other IPv6 address, since one host can have all addresses of that.
struct AddressGroup: Hashable, Sendable {
    private let bytes: [UInt8]
    private let interface: UInt32

    init(_ address: IPAddress) {
        // Two spellings of one address are one victim.
        let address = address.unmapped
        let isNetwork = address.family == .ipv6 && !address.isLinkLocal && !address.isLoopback
        self.bytes = isNetwork ? Array(address.bytes.prefix(8)) : address.bytes
        self.interface = address.scope?.index ?? 0
    }
}
