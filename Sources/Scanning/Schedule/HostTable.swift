internal import DNSSD

/// The hosts that are asked themselves which services they have, since too many lead to their addresses: a value that says
/// whose turn it is.
struct HostTable {
    /// The most hosts that are in it.
    static let mostHosts = 64

    /// The most that are being asked at once: each takes a socket.
    static let atOnce = 8

    /// The time that one is left alone after it was asked.
    static let gap = Duration.seconds(2)

    /// The time after which one is looked at again that had to stand back.
    private static let retry = Duration.milliseconds(250)

    /// One that is asked.
    private struct Host {
        /// Endpoints at its address that waited when they were looked at last.
        var waiting: Set<Endpoint>
        var nextTime: ContinuousClock.Instant
        var timesAsked = 0
        var isAsked = false
    }

    private var hosts: [IPAddress: Host] = [:]
    private var running = 0

    /// Indicates whether one is being asked for the first time: that may change what is known; of the later times nobody
    /// waits for the end.
    private(set) var isAskingAnew = false

    var count: Int { hosts.count }

    /// Notes that an endpoint waits for its address.
    ///
    /// - Returns: Whether its host is to be looked at now. One that is known is looked at when its time comes.
    mutating func add(_ endpoint: Endpoint, now: ContinuousClock.Instant) -> Bool {
        if hosts[endpoint.address] != nil {
            hosts[endpoint.address]?.waiting.insert(endpoint)
            return false
        }
        guard hosts.count < Self.mostHosts else { return false }
        hosts[endpoint.address] = Host(waiting: [endpoint], nextTime: now)
        return true
    }

    /// Takes a host's turn, if it has come. One that was asked before stands back while another one was not.
    ///
    /// - Parameter isWaiting: Whether an endpoint still waits and would gain by it. A host where none does is forgotten.
    /// - Returns: The endpoints that wait, if it is to be asked now, and when to look at it again.
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

    /// The question to a host has come to its end.
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
