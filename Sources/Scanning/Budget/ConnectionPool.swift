internal import DNSSD

/// A limit on the connections that may be made in any minute. The most that a probe can need is reserved when it
/// begins, and the connections that it did not use are released when it ends.
struct ConnectionPool: Hashable, Sendable {
    static let window = Duration.seconds(60)

    private struct Spending: Hashable {
        let time: ContinuousClock.Instant
        let connections: Int
    }

    /// The maximum number of connections in any ``window``.
    let limit: Int

    private var reserved = 0
    private var spent: [Spending] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// Indicates whether no connection was made recently, and none is reserved.
    var isBlank: Bool { reserved == 0 && spent.isEmpty }

    /// Reserves connections.
    ///
    /// - Returns: `false` when not that many are left.
    mutating func reserve(_ connections: Int, at now: ContinuousClock.Instant) -> Bool {
        forgetOld(now)
        guard total + reserved + connections <= limit else { return false }
        reserved += connections
        return true
    }

    /// Releases reserved connections, and counts those that were used.
    mutating func settle(_ connections: Int, used: Int, at now: ContinuousClock.Instant) {
        reserved = max(reserved - connections, 0)
        if used > 0 { spent.append(Spending(time: now, connections: used)) }
        forgetOld(now)
    }

    /// Returns the time at which that many connections can be reserved, if none of those reserved now is released;
    /// `nil` when only released ones can make room.
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

/// The addresses that share one count of connections: an IPv4 address, a link-local IPv6 address on its link, or the
/// /64 of any other IPv6 address, since one host can have every address in that.
struct AddressGroup: Hashable, Sendable {
    private enum Group: Hashable {
        case v4(UInt32)
        case v6(high: UInt64, low: UInt64, interface: UInt32)
        case v6Network(UInt64)
    }

    private let group: Group

    init(_ address: IPAddress) {
        // Two notations of one address mean the same victim.
        switch address.unmapped {
        case .v4(let address): self.group = .v4(address.bits)
        case .v6(let address):
            let high = UInt64(truncatingIfNeeded: address.bits >> 64)
            self.group =
                address.isLinkLocal || address.isLoopback
                ? .v6(
                    high: high,
                    low: UInt64(truncatingIfNeeded: address.bits),
                    interface: address.scope?.index ?? 0
                )
                : .v6Network(high)
        }
    }
}
