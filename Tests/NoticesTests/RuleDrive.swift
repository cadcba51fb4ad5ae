import Reports

@testable import Agent

/// Rules with a clock that the test turns.
struct RuleDrive {
    private(set) var rules: NoticeRules
    private(set) var instant = ContinuousClock.now
    private(set) var time = Timestamp("2026-11-26T12:00:00.000Z")!
    private(set) var actions: [(NoticeAction, Timestamp)] = []
    var facts: [String: GatewayFacts] = [:]
    var muted: Set<String> = []

    /// The revocations by gateways.
    var revoked: [Revocation] = []

    /// The gateways of which nothing is heard, though they are not known to be silent.
    var unheard: Set<String> = []

    init(_ policy: NoticePolicy = NoticePolicy()) {
        rules = NoticeRules(policy, at: Moment(instant: instant, time: time, minuteOfDay: 720))
    }

    var moment: Moment {
        Moment(instant: instant, time: time, minuteOfDay: TimeZoneOffset.utc.minuteOfDay(time))
    }

    /// Changes the facts about one gateway.
    mutating func set(
        _ key: String,
        _ presence: GatewayFacts.Presence,
        _ change: (inout GatewayFacts) -> Void = { _ in }
    ) {
        let subject = Notice.Subject(key: key, name: key)
        // The map asks more often than the facts are given, so that its last answer was a moment ago.
        if facts[key]?.presence == .answering, !unheard.contains(key) { facts[key]?.heard = instant }
        var new = facts[key] ?? GatewayFacts(subject, presence)
        new.presence = presence
        change(&new)
        facts[key] = new
        take()
    }

    mutating func take() {
        for key in facts.keys where facts[key]?.presence == .answering && !unheard.contains(key) {
            facts[key]?.heard = instant
        }
        let all = facts.values.sorted { $0.subject.key < $1.subject.key }
        let found = rules.take(all, revoked: revoked, muted: muted, at: moment)
        actions += found.map { ($0, time) }
    }

    /// Lets time pass in steps of half a second.
    mutating func wait(_ seconds: Int) {
        for _ in 0..<seconds * 2 {
            turn(by: .milliseconds(500))
            take()
        }
    }

    /// Lets much time pass: in short steps as long as something can be decided, and then in longer ones.
    mutating func pass(_ seconds: Int) {
        wait(min(seconds, 16))
        for _ in 0..<max(0, seconds - 16) / 10 {
            turn(by: .seconds(10))
            take()
        }
    }

    /// Lets time pass as the agent does, in longer steps where it is impatient: the facts are given again as soon as the
    /// rules want that.
    mutating func rest(_ seconds: Int) {
        let end = instant + .seconds(seconds)
        while instant < end {
            let interval: Duration =
                switch rules.pace(at: instant) {
                case .soon: .seconds(1)
                case .later: .seconds(10)
                case .rest: .seconds(60)
                case .never: end - instant
                }
            turn(by: min(interval, end - instant))
            take()
        }
    }

    /// Has a gateway not watched any more.
    mutating func drop(_ key: String) {
        facts[key] = nil
        take()
    }

    mutating func turn(by duration: Duration) {
        instant += duration
        time = time.advanced(by: duration)
    }

    /// Lets this host sleep.
    mutating func sleep(_ duration: Duration) {
        let before = time
        turn(by: duration)
        actions += rules.wake(from: before, at: moment).map { ($0, time) }
    }

    /// Kills a gateway, as the map shows that.
    mutating func kill(_ keys: String...) {
        for key in keys { set(key, .silent) }
        wait(5)
        for key in keys { set(key, .gone) }
    }

    /// Begins anew with what was remembered.
    mutating func restart(_ policy: NoticePolicy = NoticePolicy()) {
        var last: [String: (Notice.Subject, GatewayMemory)] = [:]
        var toldRevoked: Set<String> = []
        var limits = NoticeLimits()
        for (action, _) in actions {
            switch action {
            case .remember(let subject, let state): last[subject.key] = (subject, state)
            case .toldRevoked(let ids): toldRevoked.formUnion(ids)
            case .rememberLimits(let new): limits = new
            case .forget(let key): last[key] = nil
            default: continue
            }
        }
        let memory = last.values.compactMap { subject, state in
            GatewayMemory(state.json).map { RememberedGateway(subject, $0) }
        }
        limits = NoticeLimits(limits.json)
        rules = NoticeRules(policy, memory, revoked: toldRevoked, limits: limits, at: moment)
        for key in facts.keys { facts[key]?.presence = .unknown }
    }

    /// The messages, in short: `gone a,b`.
    var told: [String] {
        actions.compactMap { action, _ in
            guard case .tell(let notice) = action else { return nil }
            let who = notice.subjects.map(\.key).joined(separator: ",")
            return who.isEmpty ? notice.kind.rawValue : "\(notice.kind.rawValue) \(who)"
        }
    }

    var notices: [Notice] { actions.compactMap { if case .tell(let notice) = $0.0 { notice } else { nil } } }

    /// The outages in the history, with their lengths in seconds; `nil` for one that lasts.
    var outages: [(key: String, seconds: Int?)] {
        var found: [(key: String, began: Timestamp, seconds: Int?)] = []
        for (action, _) in actions {
            switch action {
            case .outageBegan(let subject, let at, _, _): found.append((subject.key, at, nil))
            case .outageEnded(let key, let at):
                guard let index = found.lastIndex(where: { $0.key == key && $0.seconds == nil }) else { continue }
                found[index].seconds = (at.milliseconds - found[index].began.milliseconds) / 1_000
            default: continue
            }
        }
        return found.map { ($0.key, $0.seconds) }
    }

    /// The times of which nothing is known, as often as they were told.
    var unknown: [(keys: [String], from: Timestamp, to: Timestamp)] {
        actions.compactMap { action, _ in
            if case .unknown(let keys, let from, let to, _) = action { (keys, from, to) } else { nil }
        }
    }
}

extension TimeZoneOffset {
    /// UTC, wherever the tests run.
    static let utc = TimeZoneOffset(seconds: 0)
}
