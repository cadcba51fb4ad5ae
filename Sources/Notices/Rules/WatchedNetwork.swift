internal import Reports

/// The networks of this host, as far as they lead to watched gateways, and what is to be told of that. A value.
struct WatchedNetwork: Hashable, Sendable {
    /// The time for which no network must lead to gateways, or one must again, before that is told.
    static let delay = Duration.seconds(2)

    /// The time after which the history is told again that no network leads to gateways.
    static let recordInterval = Duration.seconds(60)

    /// A time in which no network leads to gateways.
    private struct CutOff: Hashable, Sendable {
        var keys: Set<String>

        /// The time since which there has been none, and that of the first of several such times in one message.
        var began: Moment
        let since: Timestamp
        var isTold = false
        var ended: Moment?
        var reason: String?

        /// The time up to which the history has it.
        var recorded: ContinuousClock.Instant?
    }

    private var cutOff: CutOff?

    /// Returns how soon the facts should be given again; `nil` if nothing is to be told.
    func pace(at now: ContinuousClock.Instant) -> NoticeRules.Pace? {
        guard let cutOff else { return nil }
        let since = cutOff.ended?.instant ?? (cutOff.isTold ? nil : cutOff.began.instant)
        return since.map { now - $0 < Self.delay + .seconds(1) } == true ? .soon : .later
    }

    /// Takes in to which gateways no network leads.
    ///
    /// - Parameters:
    ///   - lacking: The keys of these gateways.
    ///   - reason: The reason, where there is a network.
    ///   - subjects: Returns the gateways with some keys.
    ///   - mayTell: Returns `true` if one more message about this host is allowed, and counts it.
    mutating func observe(
        lacking: [String],
        _ reason: String? = nil,
        at moment: Moment,
        subjects: ([String]) -> [Notice.Subject],
        mayTell: () -> Bool
    ) -> [NoticeAction] {
        lacking.isEmpty
            ? end(at: moment, subjects, mayTell) : goOn(lacking, reason, at: moment, subjects, mayTell)
    }

    private mutating func goOn(
        _ lacking: [String],
        _ reason: String?,
        at moment: Moment,
        _ subjects: ([String]) -> [Notice.Subject],
        _ mayTell: () -> Bool
    ) -> [NoticeAction] {
        var now = cutOff ?? CutOff(keys: [], began: moment, since: moment.time)
        // What ended the last one was not told yet, but there was a network.
        if let ended = now.ended, moment.instant - ended.instant >= Self.delay {
            now.began = moment
            now.keys = []
            now.recorded = nil
        }
        now.keys.formUnion(lacking)
        now.reason = reason
        now.ended = nil
        cutOff = now
        guard moment.instant - now.began.instant >= Self.delay else { return [] }
        let isDue = now.recorded.map { moment.instant - $0 >= Self.recordInterval } ?? true
        let actions = isDue ? record(now, until: moment) : []
        guard !now.isTold, mayTell() else { return actions }
        cutOff?.isTold = true
        var notice = Notice(.cutOff, subjects(now.keys.sorted()), at: moment.time)
        notice.since = now.since
        notice.reason = now.reason
        return actions + [.tell(notice)]
    }

    private mutating func end(
        at moment: Moment,
        _ subjects: ([String]) -> [Notice.Subject],
        _ mayTell: () -> Bool
    ) -> [NoticeAction] {
        guard var over = cutOff else { return [] }
        let isNew = over.ended == nil
        let ended = over.ended ?? moment
        over.ended = ended
        cutOff = over
        let actions = isNew ? record(over, until: ended) : []
        guard moment.instant - ended.instant >= Self.delay else { return actions }
        guard over.isTold else {
            cutOff = nil
            return actions
        }
        guard mayTell() else { return actions }
        cutOff = nil
        var notice = Notice(.reconnected, subjects(over.keys.sorted()), at: moment.time)
        notice.since = over.since
        notice.until = ended.time
        return actions + [.tell(notice)]
    }

    /// Has the history know of a time without a network: while it lasts, too, since the agent can end in it.
    private mutating func record(_ time: CutOff, until end: Moment) -> [NoticeAction] {
        cutOff?.recorded = end.instant
        let reason = time.reason ?? "no network of this host led to it"
        return [.unknown(keys: time.keys.sorted(), from: time.began.time, to: end.time, reason: reason)]
    }
}
