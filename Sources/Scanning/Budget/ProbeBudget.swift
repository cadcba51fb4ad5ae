internal import DNSSD
internal import DequeModule

/// A budget that decides which of the waiting probes may begin, so that a forger who advertises a thousand services
/// cannot aim the scanner at one victim, and cannot hide a real gateway behind them either.
///
/// A value: its owner reports the probes that wait and end, and the time. At most 32 probes run at once, 8 of them at
/// one address; the last places are not for strangers. An address sees at most 300 connections a minute by probes of
/// endpoints that have answered there before, were entered by the user, were confirmed by that very address when it was
/// asked, or were announced by it, in this order; and 60 by all others, which take turns.
struct ProbeBudget: Sendable {
    /// A probe that waits.
    struct Entry: Hashable, Sendable {
        let endpoint: Endpoint
        let job: Int
        let connections: Int
        let standing: ProbeStanding
        let host: DomainName?
    }

    /// The probes that wait and run at one address.
    private struct Lane: Sendable {
        var running = 0
        var known = ConnectionPool(limit: ProbeBudget.knownPerMinute)
        var strangers = ConnectionPool(limit: ProbeBudget.strangersPerMinute)
        var probes = WaitingProbes()

        /// The number of probes among these that have not been withdrawn.
        var waiting = 0
        var isQueued = false

        /// Indicates whether its address is among ``ProbeBudget/parked``.
        var isParked = false
        @Rare var blockedUntil: ContinuousClock.Instant?

        var isBlank: Bool { running == 0 && waiting == 0 && known.isBlank && strangers.isBlank }
    }

    static let atOnce = 32
    static let strangersAtOnce = 24
    static let atOncePerAddress = 8
    static let knownPerMinute = 300
    static let strangersPerMinute = 60

    private var lanes = PackedTable<AddressGroup, Lane>()

    /// The addresses that take turns, in this order.
    private var turns: Deque<AddressGroup> = []

    /// The addresses at which only strangers wait, while the maximum number of strangers runs. They are not examined
    /// each time a probe ends.
    private var parked: Deque<AddressGroup> = []
    private var running = 0
    private var runningStrangers = 0
    private var tidyAbove = 1_024

    /// The addresses whose budget was used up since these were last taken, each with the time until which it is.
    private var newlyBlocked: [(group: AddressGroup, until: ContinuousClock.Instant)] = []

    /// The number of probes that wait.
    private(set) var waiting = 0

    /// The number of probes that wait because the budget of their address is used up.
    var putOff: Int { blocked.reduce(0) { $0 + (lanes[$1]?.waiting ?? 0) } }

    /// The addresses whose budget is used up.
    private var blocked: Set<AddressGroup> = []

    /// Indicates whether the budget of an endpoint's address is used up.
    func isBlocked(_ endpoint: Endpoint) -> Bool { blocked.contains(AddressGroup(endpoint.address)) }

    /// Puts a probe into the queue of its address.
    mutating func enqueue(_ entry: Entry) {
        let group = AddressGroup(entry.endpoint.address)
        var lane = lanes.removeValue(forKey: group) ?? Lane()
        lane.probes.append(entry)
        lane.waiting += 1
        waiting += 1
        // A probe of a higher standing is not held up because strangers have used up their budget.
        if entry.standing < .stranger {
            lane.blockedUntil = nil
            blocked.remove(group)
            if lane.isParked {
                lane.isParked = false
                lane.isQueued = false
            }
        }
        lanes[group] = lane
        queue(group)
    }

    /// Withdraws a probe that waits. Its entry is skipped when its turn comes, or goes with those of all others at its address:
    /// of a flood that is over, nothing may be left that waits for a turn.
    mutating func withdraw(_ endpoint: Endpoint) {
        let group = AddressGroup(endpoint.address)
        guard lanes[group] != nil else { return }
        lanes[group]?.waiting -= 1
        waiting -= 1
        if lanes[group]?.waiting == 0 { lanes[group]?.probes.removeAll() }
        forgetIfBlank(group)
    }

    /// Removes and returns the next probe that may begin.
    ///
    /// - Parameter isWanted: Indicates whether an entry is still wanted; others are skipped.
    mutating func next(at now: ContinuousClock.Instant, isWanted: (Entry) -> Bool) -> Entry? {
        var passed: [AddressGroup] = []
        defer { turns += passed }
        while running < Self.atOnce, let group = nextTurn() {
            guard var lane = lanes.removeValue(forKey: group) else { continue }
            let entry = next(in: &lane, at: now, isWanted: isWanted)
            let isWaitingForOthers = entry == nil && lane.waiting > 0 && lane.blockedUntil == nil
            if lane.waiting == 0 || lane.blockedUntil != nil {
                lane.isQueued = false
                if let time = lane.blockedUntil, lane.waiting > 0 {
                    blocked.insert(group)
                    newlyBlocked.append((group, time))
                }
            } else if isWaitingForOthers, lane.running < Self.atOncePerAddress,
                runningStrangers >= Self.strangersAtOnce
            {
                lane.isParked = true
                parked.append(group)
            } else if isWaitingForOthers {
                passed.append(group)
            } else {
                turns.append(group)
            }
            lanes[group] = lane
            if let entry { return entry }
        }
        return nil
    }

    private mutating func nextTurn() -> AddressGroup? {
        while runningStrangers < Self.strangersAtOnce, let group = parked.popFirst() {
            guard lanes[group]?.isParked == true else { continue }
            lanes[group]?.isParked = false
            return group
        }
        return turns.popFirst()
    }

    private mutating func next(
        in lane: inout Lane,
        at now: ContinuousClock.Instant,
        isWanted: (Entry) -> Bool
    ) -> Entry? {
        guard lane.running < Self.atOncePerAddress else { return nil }
        if lane.probes.count > 4 * lane.waiting + 64 { lane.probes.removeAll { !isWanted($0) } }
        lane.blockedUntil = nil
        var isBlocked = false
        for standing in ProbeStanding.allCases {
            if standing == .stranger, runningStrangers >= Self.strangersAtOnce { return nil }
            guard let entry = firstWanted(standing, in: &lane.probes, isWanted) else { continue }
            guard reserve(entry, in: &lane, at: now) else {
                lane.probes.putBack(entry)
                isBlocked = true
                continue
            }
            lane.blockedUntil = nil
            lane.waiting -= 1
            lane.running += 1
            waiting -= 1
            running += 1
            if standing == .stranger { runningStrangers += 1 }
            return entry
        }
        // A running probe may release connections; if none runs, the next try is in a second.
        if isBlocked, lane.blockedUntil == nil, lane.running == 0 { lane.blockedUntil = now + .seconds(1) }
        return nil
    }

    private func firstWanted(
        _ standing: ProbeStanding,
        in probes: inout WaitingProbes,
        _ isWanted: (Entry) -> Bool
    ) -> Entry? {
        while let entry = probes.popFirst(standing) {
            if isWanted(entry) { return entry }
        }
        return nil
    }

    private func reserve(_ entry: Entry, in lane: inout Lane, at now: ContinuousClock.Instant) -> Bool {
        let isKnown = entry.standing < .stranger
        let connections = entry.connections
        guard !(isKnown ? lane.known.reserve(connections, at: now) : lane.strangers.reserve(connections, at: now))
        else {
            return true
        }
        if let time = (isKnown ? lane.known : lane.strangers).time(for: connections) {
            lane.blockedUntil = min(lane.blockedUntil ?? time, time)
        }
        return false
    }

    /// Records that a probe has ended, and the number of connections that it used.
    mutating func end(_ entry: Entry, used: Int, at now: ContinuousClock.Instant) {
        let group = AddressGroup(entry.endpoint.address)
        running -= 1
        if entry.standing == .stranger { runningStrangers -= 1 }
        guard var lane = lanes.removeValue(forKey: group) else { return }
        lane.running -= 1
        if entry.standing == .stranger {
            lane.strangers.settle(entry.connections, used: used, at: now)
        } else {
            lane.known.settle(entry.connections, used: used, at: now)
        }
        lane.blockedUntil = nil
        blocked.remove(group)
        lanes[group] = lane
        queue(group)
        forgetIfBlank(group)
        tidy(at: now)
    }

    /// Removes and returns the addresses whose budget was used up, each with the time until which it is.
    mutating func takeBlocked() -> [(group: AddressGroup, until: ContinuousClock.Instant)] {
        defer { newlyBlocked = [] }
        return newlyBlocked
    }

    /// Lets probes begin again at an address whose budget was used up.
    mutating func unblock(_ group: AddressGroup) {
        lanes[group]?.blockedUntil = nil
        blocked.remove(group)
        queue(group)
    }

    private mutating func queue(_ group: AddressGroup) {
        guard let lane = lanes[group], !lane.isQueued, lane.waiting > 0, lane.blockedUntil == nil else { return }
        lanes[group]?.isQueued = true
        turns.append(group)
    }

    private mutating func forgetIfBlank(_ group: AddressGroup) {
        guard let lane = lanes[group], lane.isBlank, !lane.isQueued else { return }
        lanes[group] = nil
        lanes.giveBackRoom()
        blocked.remove(group)
    }

    /// The number of entries that are stored, whether their probes have been withdrawn or not.
    var stored: Int { lanes.keys.reduce(0) { $0 + (lanes[$1]?.probes.count ?? 0) } }

    /// The number of addresses that are remembered.
    var remembered: Int { lanes.count }

    /// Forgets addresses without any state, once there are twice as many as were left the last time: the cost of a
    /// probe does not grow with them.
    private mutating func tidy(at now: ContinuousClock.Instant) {
        guard lanes.count > tidyAbove else { return }
        for group in Array(lanes.keys) {
            lanes[group]?.known.forgetOld(now)
            lanes[group]?.strangers.forgetOld(now)
            forgetIfBlank(group)
        }
        tidyAbove = max(1_024, 2 * lanes.count)
    }
}

/// The precedence of a probe of an endpoint over others at the same address, the highest first.
enum ProbeStanding: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// A gateway has answered there before.
    case answered
    /// The user entered it.
    case manual
    /// Its host confirmed it when it was asked.
    case confirmed
    /// A packet that announces it claims to come from the address itself.
    case firstHand
    /// Any host may have made it up.
    case stranger

    static func < (lhs: ProbeStanding, rhs: ProbeStanding) -> Bool { lhs.rawValue < rhs.rawValue }
}
