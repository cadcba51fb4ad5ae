package import Reports

/// The messages about this host: that it was asleep, and that no network leads to gateways.
extension NoticeRules {
    /// Takes in that this host was asleep, so that nothing is known of gateways in the meantime.
    package mutating func wake(from sleep: Timestamp, at moment: Moment) -> [NoticeAction] {
        let keys = gateways.filter(\.value.memory.hasAnswered).keys.sorted()
        for key in gateways.keys { gateways[key]?.suspendJudgement(at: moment.instant) }
        guard !keys.isEmpty else { return [] }
        let unknown = NoticeAction.unknown(
            keys: keys,
            from: sleep,
            to: moment.time,
            reason: "this host was asleep"
        )
        let isLong = sleep.advanced(by: Notice.Kind.asleep.rule.hold) <= moment.time
        guard isLong, mayTellOfHost(.asleep, at: moment) else { return [unknown] }
        var notice = Notice(.asleep, [], at: moment.time)
        notice.since = sleep
        notice.until = moment.time
        notice.reason = "what gateways did meanwhile is not known"
        return [unknown, .tell(notice)]
    }

    /// Tells of the networks of this host, as far as they lead to watched gateways.
    mutating func followNetwork(at moment: Moment) -> [NoticeAction] {
        let lacking = gateways.filter { $0.value.memory.hasAnswered && !$0.value.facts.hasNetwork }
        guard var cutOff = cutOff ?? (lacking.isEmpty ? nil : CutOff(at: moment)) else { return [] }
        let reasons = Set(lacking.values.map(\.facts.networkTrouble))
        let reason = reasons.count == 1 ? reasons.first.flatMap(\.self) : nil
        var actions =
            lacking.isEmpty ? cutOff.end(at: moment) : cutOff.goOn(Array(lacking.keys), reason, at: moment)
        if let kind = cutOff.news(at: moment.instant), mayTellOfHost(kind, at: moment) {
            let subjects = cutOff.keys.sorted().compactMap { gateways[$0]?.facts.subject }
            actions.append(.tell(cutOff.tell(kind, subjects, at: moment)))
        }
        self.cutOff = cutOff.isOver(at: moment.instant) ? nil : cutOff
        return actions
    }

    /// Indicates whether one more message about this host may be told now, and counts it.
    private mutating func mayTellOfHost(_ kind: Notice.Kind, at moment: Moment) -> Bool {
        !policy.isQuiet(at: moment) && limits.take(MessageLimits.Message(kind: kind), policy, at: moment)
    }
}
