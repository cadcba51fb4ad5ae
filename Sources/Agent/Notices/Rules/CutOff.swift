internal import Reports

/// A time in which no network of this host leads to watched gateways, and what was told of it. A value.
struct CutOff: Hashable, Sendable {
    /// The time after which the history is told again that it lasts: the agent can end in it.
    private static let recordInterval = Duration.seconds(60)

    /// The keys of the gateways.
    private(set) var keys: Set<String> = []

    /// The beginning, and that of the first of several such times that are one message.
    private var began: Moment
    private let since: Timestamp
    private var ended: Moment?
    private var isTold = false

    /// The reason, where there is a network.
    private var reason: String?

    /// The time up to which the history has it.
    private var recorded: ContinuousClock.Instant?

    init(at moment: Moment) {
        began = moment
        since = moment.time
    }

    /// Returns how soon the facts should be given again.
    func pace(at now: ContinuousClock.Instant) -> NoticeRules.Pace {
        let changed = ended ?? (isTold ? nil : began)
        return changed.map { now - $0.instant < Notice.Kind.cutOff.rule.hold + .seconds(1) } == true ? .soon : .later
    }

    /// Takes in that no network leads to some gateways.
    mutating func goOn(_ lacking: [String], _ reason: String?, at moment: Moment) -> [NoticeAction] {
        // The end of the last time was not told yet, but there was a network.
        if hasEnded(at: moment.instant) { (began, keys, recorded) = (moment, [], nil) }
        keys.formUnion(lacking)
        (self.reason, ended) = (reason, nil)
        let isDue = recorded.map { moment.instant - $0 >= Self.recordInterval } ?? true
        return isDue && hasBegun(at: moment.instant) ? record(until: moment) : []
    }

    /// Takes in that a network leads to all gateways.
    mutating func end(at moment: Moment) -> [NoticeAction] {
        guard ended == nil else { return [] }
        ended = moment
        return record(until: moment)
    }

    private mutating func record(until end: Moment) -> [NoticeAction] {
        recorded = end.instant
        let reason = reason ?? "no network of this host led to it"
        return [.unknown(keys: keys.sorted(), from: began.time, to: end.time, reason: reason)]
    }

    private func hasBegun(at now: ContinuousClock.Instant) -> Bool {
        ended == nil && now - began.instant >= Notice.Kind.cutOff.rule.hold
    }

    private func hasEnded(at now: ContinuousClock.Instant) -> Bool {
        ended.map { now - $0.instant >= Notice.Kind.reconnected.rule.hold } ?? false
    }

    /// Returns the kind of the message that is to be told; `nil` for none.
    func news(at now: ContinuousClock.Instant) -> Notice.Kind? {
        isTold ? hasEnded(at: now) ? .reconnected : nil : hasBegun(at: now) ? .cutOff : nil
    }

    /// Indicates whether nothing more is to be told of it.
    func isOver(at now: ContinuousClock.Instant) -> Bool { !isTold && hasEnded(at: now) }

    /// Takes in that its news are told.
    mutating func tell(_ kind: Notice.Kind, _ subjects: [Notice.Subject], at moment: Moment) -> Notice {
        isTold.toggle()
        var notice = Notice(kind, subjects, at: moment.time)
        notice.since = since
        notice.until = ended?.time
        if ended == nil { notice.reason = reason }
        return notice
    }
}
