internal import DNSSD

/// The servers that may be asked, and what is known of them: which answer, and how fast. A value.
///
/// One that does not answer is asked again by one question alone, 1 s later and then ever more rarely; meanwhile the next one is.
struct DNSServers {
    /// The shortest and longest time for which one that does not answer is left alone.
    private static let (shortestRest, longestRest) = (Duration.seconds(1), Duration.seconds(60))

    /// The shortest and longest time that an answer may take. Some servers answer only after they have asked others in vain.
    private static let (shortestTimeout, longestTimeout) = (Duration.seconds(1), Duration.seconds(6))

    private struct Server {
        let endpoint: Endpoint
        var failures = 0
        var restsUntil: ContinuousClock.Instant?
        var trouble: String?
        var roundTrip: Duration?
        var lastAnswer: ContinuousClock.Instant?

        /// Indicates whether it knows EDNS (RFC 6891), as nearly all do.
        var knowsEDNS = true
    }

    private var servers: [Server]

    init(_ endpoints: [Endpoint]) {
        servers = endpoints.map { Server(endpoint: $0) }
    }

    /// The time at which one may be tried again, while none answers; `nil` while one does.
    var nextTrial: ContinuousClock.Instant? {
        servers.contains { $0.restsUntil == nil } ? nil : servers.compactMap(\.restsUntil).min()
    }

    /// The reasons why servers are left alone.
    var troubles: [Endpoint: String] {
        let resting = servers.filter { $0.restsUntil != nil }
        return Dictionary(resting.map { ($0.endpoint, $0.trouble ?? "does not answer") }) { first, _ in first }
    }

    /// Returns the server to ask: the first that answers, or one whose time has come; `nil` if there is none.
    ///
    /// - Parameter tried: Those that have failed to answer the same question.
    mutating func pick(besides tried: Set<Endpoint>, now: ContinuousClock.Instant) -> Endpoint? {
        let open = servers.indices.filter { !tried.contains(servers[$0].endpoint) }
        // A trial comes first, or nobody would learn that the server is back.
        if let trial = open.first(where: { servers[$0].restsUntil.map { $0 <= now } == true }) {
            leaveAlone(trial, now: now)
            return servers[trial].endpoint
        }
        return open.first { servers[$0].restsUntil == nil }.map { servers[$0].endpoint }
    }

    /// Returns the time that an answer may take.
    func timeout(of server: Endpoint, try number: Int) -> Duration {
        let roundTrip = servers.first { $0.endpoint == server }?.roundTrip ?? .zero
        return min(max(Self.shortestTimeout, roundTrip * 3) * (1 << min(number, 4)), Self.longestTimeout)
    }

    func knowsEDNS(_ server: Endpoint) -> Bool { servers.first { $0.endpoint == server }?.knowsEDNS != false }

    /// Notes that a server does not know EDNS.
    ///
    /// - Returns: Whether that is new.
    mutating func noteLackOfEDNS(_ server: Endpoint) -> Bool {
        guard let index = index(of: server), servers[index].knowsEDNS else { return false }
        servers[index].knowsEDNS = false
        return true
    }

    /// Notes that a server has answered.
    ///
    /// - Returns: Whether it did not before.
    mutating func noteAnswer(of server: Endpoint, after roundTrip: Duration, now: ContinuousClock.Instant) -> Bool {
        guard let index = index(of: server) else { return false }
        let wasResting = servers[index].restsUntil != nil
        let known = servers[index].roundTrip ?? roundTrip
        servers[index].roundTrip = known * 0.875 + roundTrip * 0.125
        (servers[index].failures, servers[index].restsUntil) = (0, nil)
        (servers[index].trouble, servers[index].lastAnswer) = (nil, now)
        return wasResting
    }

    /// Notes that a server has not answered: as a packet may be lost, only the second time in a row counts, and a refusal at
    /// once. What was sent before the server last answered, or was left alone, says nothing new; a trial counts from its beginning.
    mutating func noteFailure(
        of server: Endpoint,
        _ error: DNSExchangeError,
        sentAt time: ContinuousClock.Instant,
        now: ContinuousClock.Instant
    ) {
        guard let index = index(of: server) else { return }
        if servers[index].restsUntil != nil { servers[index].trouble = error.message }
        guard servers[index].restsUntil == nil, servers[index].lastAnswer.map({ $0 < time }) ?? true else { return }
        servers[index].trouble = error.message
        if error.code != .noAnswer || servers[index].failures > 0 {
            leaveAlone(index, now: now)
        } else {
            servers[index].failures += 1
        }
    }

    private mutating func leaveAlone(_ index: Int, now: ContinuousClock.Instant) {
        let doublings = max(servers[index].failures - 1, 0)
        servers[index].failures = max(servers[index].failures, 1) + 1
        servers[index].restsUntil = now + min(Self.shortestRest * (1 << min(doublings, 6)), Self.longestRest)
    }

    private func index(of server: Endpoint) -> Int? { servers.firstIndex { $0.endpoint == server } }
}
