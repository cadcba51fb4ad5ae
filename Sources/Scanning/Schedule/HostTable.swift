internal import DNSSD

/// The hosts that are queried directly for their services, since too many services lead to their addresses. A value
/// that decides whose turn it is.
struct HostTable {
    /// The maximum number of hosts in the table.
    static let mostHosts = 64

    /// The maximum number of hosts that are queried at once: each query takes a socket.
    static let atOnce = 8

    /// The time for which a host is left alone after a query.
    static let gap = Duration.seconds(2)

    /// The time after which a host is considered again that had to wait.
    private static let retry = Duration.milliseconds(250)

    /// A host in the table.
    private struct Host {
        /// The endpoints at its address that were last known to wait.
        var waiting: Set<Endpoint>
        var nextTime: ContinuousClock.Instant
        var timesAsked = 0
        var isAsked = false
    }

    private var hosts: [IPAddress: Host] = [:]
    private var running = 0

    /// Indicates whether a host is being queried for the first time, which may change what is known. The end of later
    /// queries is not waited for.
    private(set) var isAskingAnew = false

    var count: Int { hosts.count }

    /// Records that an endpoint waits because of its address.
    ///
    /// - Returns: `true` if its host is to be considered now. A host in the table is considered when its time comes.
    mutating func add(_ endpoint: Endpoint, now: ContinuousClock.Instant) -> Bool {
        if hosts[endpoint.address] != nil {
            hosts[endpoint.address]?.waiting.insert(endpoint)
            return false
        }
        guard hosts.count < Self.mostHosts else { return false }
        hosts[endpoint.address] = Host(waiting: [endpoint], nextTime: now)
        return true
    }

    /// Takes a host's turn, if it has come. A host that was queried before waits while another one has never been
    /// queried.
    ///
    /// - Parameter isWaiting: Indicates whether an endpoint still waits and would gain by the query. A host without any
    ///   such endpoint is forgotten.
    /// - Returns: The endpoints that wait, if the host is to be queried now, and the time at which to consider it
    ///   again.
    mutating func takeTurn(
        of address: IPAddress,
        now: ContinuousClock.Instant,
        isWaiting: (Endpoint) -> Bool
    ) -> (waiting: Set<Endpoint>?, next: ContinuousClock.Instant)? {
        guard var host = hosts.removeValue(forKey: address) else { return nil }
        guard host.nextTime <= now else {
            hosts[address] = host
            return nil
        }
        host.waiting = host.waiting.filter(isWaiting)
        guard !host.waiting.isEmpty || host.isAsked else { return nil }
        let isItsTurn = host.timesAsked == 0 || !hosts.values.contains { $0.timesAsked == 0 }
        let isDue = !host.waiting.isEmpty && !host.isAsked && isItsTurn && running < Self.atOnce
        host.nextTime = now + (isDue ? Self.gap : Self.retry)
        if isDue {
            host.isAsked = true
            host.timesAsked += 1
            running += 1
        }
        hosts[address] = host
        updateAskingAnew()
        return (isDue ? host.waiting : nil, host.nextTime)
    }

    /// Records that the query of a host has ended.
    mutating func ended(_ address: IPAddress) {
        guard hosts[address]?.isAsked == true else { return }
        hosts[address]?.isAsked = false
        running -= 1
        updateAskingAnew()
    }

    private mutating func updateAskingAnew() {
        isAskingAnew = running > 0 && hosts.values.contains { $0.isAsked && $0.timesAsked == 1 }
    }
}
