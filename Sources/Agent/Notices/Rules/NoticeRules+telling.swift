/// The messages about watched gateways, as their limits allow them.
extension NoticeRules {
    /// Counts a message that others decide on, if one more is allowed in all.
    package mutating func countOne(at moment: Moment) -> Bool {
        limits.take(MessageLimits.Message(kind: .newGateway), policy, at: moment)
    }

    /// Returns what limits a message about a gateway.
    func message(_ kind: Notice.Kind, about gateway: WatchedGateway) -> MessageLimits.Message {
        MessageLimits.Message(kind: kind, keys: [gateway.facts.subject.key], isOwn: gateway.facts.isOwn)
    }

    /// Takes the messages that are to be told, as many as are allowed.
    mutating func notices(besides muted: Set<String>, at moment: Moment) -> [NoticeAction] {
        let keys = gateways.keys.filter { !muted.contains($0) }.sorted()
        var actions: [NoticeAction] = []
        for isOwn in [true, false] {
            let chosen = keys.filter { gateways[$0]?.facts.isOwn == isOwn }
            actions += presenceNotices(chosen, isOwn: isOwn, at: moment).map(NoticeAction.tell)
        }
        actions += keys.flatMap { furtherNotices($0, at: moment) }.map(NoticeAction.tell)
        for key in revocations.news(at: moment.instant) where !muted.contains(key) {
            guard limits.take(MessageLimits.Message(kind: .revoked, keys: [key]), policy, at: moment) else { continue }
            actions += revocations.tell(key, at: moment)
        }
        return actions
    }

    /// Counts a message about gateways if it is allowed.
    private mutating func take(_ message: MessageLimits.Message, at moment: Moment) -> Bool {
        guard limits.take(message, policy, at: moment) else { return false }
        for key in message.keys {
            gateways[key]?.memory.messages = limits.times(.gateway(key))
            gateways[key]?.memory.approvalMessages = limits.times(.approvalsAt(key))
        }
        return true
    }

    // MARK: Presence

    private mutating func presenceNotices(_ keys: [String], isOwn: Bool, at moment: Moment) -> [Notice] {
        var news: [(key: String, kind: Notice.Kind)] = []
        for key in keys {
            guard let gateway = gateways[key], let kind = gateway.presenceNews(at: moment.instant),
                limits.allows(message(kind, about: gateway), policy, at: moment.instant)
            else { continue }
            news.append((key, kind))
        }
        // Those to which the same happens are told of together, and wait for each other for a moment.
        let groups = [Notice.Kind.gone, .back].map { kind in (news.filter { $0.kind == kind }.map(\.key), kind) }
        let others = news.filter { $0.kind.rule.groupInterval == .zero }.map { ([$0.key], $0.kind) }
        return (groups + others).compactMap { keys, kind in
            guard isComplete(keys, kind, isOwn, at: moment.instant),
                take(MessageLimits.Message(kind: kind, keys: keys, isOwn: isOwn), at: moment)
            else { return nil }
            return together(keys, kind, at: moment)
        }
    }

    /// Indicates whether those that may follow have followed, or were waited for long enough. The user's own wait for no
    /// others.
    private func isComplete(
        _ keys: [String],
        _ kind: Notice.Kind,
        _ isOwn: Bool,
        at now: ContinuousClock.Instant
    ) -> Bool {
        let gateways = keys.compactMap { self.gateways[$0] }
        guard !gateways.isEmpty, kind.rule.groupInterval > .zero else { return !gateways.isEmpty }
        let first = gateways.compactMap { kind == .gone ? $0.downSince : $0.upSince }.min() ?? now
        return now - first >= kind.rule.hold + kind.rule.groupInterval
            || !self.gateways.values.contains { (!isOwn || $0.facts.isOwn) && $0.mayJoin(kind, at: now) }
    }

    private mutating func together(_ keys: [String], _ kind: Notice.Kind, at moment: Moment) -> Notice? {
        let single = keys.compactMap { gateways[$0]?.tell(kind, at: moment) }
        guard single.count > 1, let first = single.first else {
            guard var notice = single.first, let key = keys.first else { return nil }
            gateways[key]?.addAcceptance(to: &notice, at: moment)
            return notice
        }
        var notice = Notice(kind, single.flatMap(\.subjects), at: moment.time)
        notice.since = single.compactMap(\.since).min()
        notice.until = first.until
        if Set(single.map(\.reason)).count == 1 { notice.reason = first.reason }
        return notice
    }

    // MARK: Other facts

    private mutating func furtherNotices(_ key: String, at moment: Moment) -> [Notice] {
        guard let gateway = gateways[key] else { return [] }
        return gateway.furtherNews(at: moment.instant).compactMap { kind, facts in
            guard take(message(kind, about: gateway), at: moment) else { return nil }
            return gateways[key]?.tell(kind, of: facts, at: moment)
        }
    }
}
